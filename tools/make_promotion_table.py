#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes test/operators/promotion.txt: the element types of PyTorch's results for all pairs of operands' types.

    pip install torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu
    python3 tools/make_promotion_table.py > test/operators/promotion.txt

A line that begins with a word is a call: an operator type, its inputs (0 and 1 are the operands, ? a bool array of ones,
# the int64 array 0, 1, [...] a list) and its parameters. Each indented line below it says what the operands are (matrix
(2,2), array (2), rank0 (), or a Python number) and which output is meant, then gives a word per type of operand 0 with a
character per type of operand 1: the result's type, or "." where PyTorch refuses, or where the library refuses complex
numbers. The types are written as the digits of RuntimeDataType, in base 16. Python numbers are bool, int, float and
complex. The elements are ones.
"""
import itertools
import warnings

import torch
import torch.nn.functional as F

DIGITS = {torch.float32: "1", torch.float64: "2", torch.float16: "3", torch.int32: "4", torch.int64: "5", torch.int16: "6",
          torch.int8: "7", torch.uint8: "8", torch.bool: "9", torch.complex64: "a", torch.complex128: "b",
          torch.bfloat16: "d"}
SHAPES = {"matrix": (2, 2), "array": (2,), "rank0": ()}
NUMBERS = (True, 1, 1.0, complex(1, 0))
# Operations that refuse complex numbers in this library, like expressions.
REAL_ONLY = """exp2 expm1 log2 log10 log1p asin acos atan asinh acosh atanh isnan isinf isfinite sinc sum prod mean any all
std var logsumexp cumsum cumprod logcumsumexp cummax cummin kthvalue mode count_nonzero norm trapezoid index_add dist
pairwise_distance silu softsign tanhshrink""".split()
EVERY = tuple(itertools.product(("array", "rank0"), ("array", "rank0", "number")))
ARRAYS = tuple(pair for pair in EVERY if "number" not in pair)
VECTORS = (("array", "array"),)
MATRICES = (("matrix", "matrix"),)
ONE = (("array",), ("rank0",))
MASK = torch.ones(2, dtype=torch.bool)
INDEX = torch.arange(2)

CALLS = []  # (the call's text, its function of the operands, kinds of operands)


def call(text, function, kinds=EVERY):
    CALLS.append((text, function, kinds))


BINARY = """add sub mul div true_divide floor_divide remainder fmod pow atan2 hypot copysign xlogy logaddexp logaddexp2 ldexp
heaviside nextafter gcd lcm fmax fmin maximum minimum eq ne lt le gt ge logical_and logical_or logical_xor rsub
bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift special_xlog1py special_zeta isclose""".split()
for name in BINARY:
    function = getattr(torch, name, None) or getattr(torch.special, name[8:])
    kinds = ARRAYS if name in ("hypot", "nextafter", "gcd", "lcm", "heaviside", "logaddexp") else EVERY
    call(f"{'aten' if name.startswith('special') else 'torch'}::{name} 0 1".replace("torch::", "torch."), function, kinds)
for mode in ("floor", "trunc"):
    call(f"torch.div 0 1 rounding_mode={mode}", lambda x, y, mode=mode: torch.div(x, y, rounding_mode=mode))
for token, function in {"add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div, "pow": torch.pow,
                        "floor_divide": torch.floor_divide, "remainder": torch.remainder, "fmod": torch.fmod,
                        "atan2": torch.atan2, "logaddexp": torch.logaddexp, "maximum": torch.maximum,
                        "and": torch.bitwise_and, "lshift": torch.bitwise_left_shift}.items():
    call(f"pnnx.Expression 0 1 expr={token}(@0,@1)", function, ARRAYS if token == "logaddexp" else EVERY)
call("pnnx.Expression 0 1 expr=[mul(@0,2),mul(@1,2.5)]", lambda x, y: (x * 2, y * 2.5), ARRAYS)
call("pnnx.Expression 0 1 expr=mul(add(@0,1),sqrt(@1))", lambda x, y: (x + 1) * torch.sqrt(y), ARRAYS)
call("pnnx.Expression 0 1 expr=sub(mul(@0,@1),@0)", lambda x, y: x * y - x, ARRAYS)
call("pnnx.Expression 0 1 expr=mul(mul(2.5,@1),@0)", lambda x, y: 2.5 * y * x, ARRAYS)
call("torch.add 0 1 alpha=2", lambda x, y: torch.add(x, y, alpha=2))
call("torch.lerp 0 1 weight=0.5", lambda x, y: torch.lerp(x, y, 0.5), ARRAYS)
call("torch.addcmul 0 1 1", lambda x, y: torch.addcmul(x, y, y), ARRAYS)
call("torch.addcdiv 0 1 1", lambda x, y: torch.addcdiv(x, y, y), ARRAYS)
call("torch.where ? 0 1", lambda x, y: torch.where(MASK, x, y))
call("torch.where ? 1 0", lambda x, y: torch.where(MASK, y, x))
call("torch.masked_fill 0 ? 1", lambda x, y: torch.masked_fill(x, MASK, y), (("array", "rank0"), ("array", "number")))
call("Tensor.fill 0 1", torch.fill, (("array", "rank0"), ("array", "number")))
call("torch.clamp 0 min=1", lambda x: torch.clamp(x, min=1), ONE)
call("torch.clamp 0 min=0.5", lambda x: torch.clamp(x, min=0.5), ONE)
call("torch.clamp 0 1", lambda x, y: torch.clamp(x, y), ARRAYS)
call("torch.cat [0,1]", lambda x, y: torch.cat((x, y)), VECTORS)
call("torch.stack [0,1]", lambda x, y: torch.stack((x, y)), (("array", "array"), ("rank0", "rank0")))
for name in ("hstack", "vstack", "column_stack", "block_diag"):
    call(f"torch.{name} [0,1]", lambda x, y, name=name: getattr(torch, name)((x, y)) if name[0] != "b" else
         torch.block_diag(x, y), ARRAYS)
call("torch.broadcast_tensors [0,1]", lambda x, y: torch.broadcast_tensors(x, y), ARRAYS)
call("torch.meshgrid [0,1]", lambda x, y: torch.meshgrid(x, y, indexing="ij"), VECTORS)
call("torch.cartesian_prod [0,1]", torch.cartesian_prod, VECTORS)
for name in ("expand_as", "view_as", "reshape_as", "type_as"):
    call(f"Tensor.{name} 0 1", lambda x, y, name=name: getattr(x, name)(y), (("array", "array"), ("rank0", "rank0")))
call("Tensor.expand_as 1 0", lambda x, y: y.expand_as(x), (("array", "rank0"),))
call("Tensor.copy 0 1", lambda x, y: x.clone().copy_(y), ARRAYS)
call("Tensor.masked_scatter 0 ? 1", lambda x, y: x.masked_scatter(MASK, y), VECTORS)
call("torch.scatter 0 # 1 dim=0", lambda x, y: x.scatter(0, INDEX, y), VECTORS)
call("torch.index_copy 0 # 1 dim=0", lambda x, y: x.index_copy(0, INDEX, y), VECTORS)
call("torch.index_add 0 # 1 dim=0", lambda x, y: x.index_add(0, INDEX, y), VECTORS)
call("torch.index_fill 0 # 1 dim=0", lambda x, y: x.index_fill(0, INDEX, y), (("array", "rank0"), ("array", "number")))
call("torch.slice_scatter 0 1", torch.slice_scatter, VECTORS)
call("torch.outer 0 1", torch.outer, VECTORS)
call("torch.kron 0 1", torch.kron, ARRAYS)
call("torch.dot 0 1", torch.dot, VECTORS)
call("torch.matmul 0 1", torch.matmul, MATRICES)
call("torch.cdist 0 1", torch.cdist, MATRICES)
call("torch.dist 0 1", torch.dist, VECTORS)
call("torch.tensordot 0 1 dims_self=[0] dims_other=[0]", lambda x, y: torch.tensordot(x, y, ([0], [0])), MATRICES)
call("F.cosine_similarity 0 1", F.cosine_similarity, MATRICES)
call("F.pairwise_distance 0 1", F.pairwise_distance, MATRICES)
for name in ("mse_loss", "l1_loss", "smooth_l1_loss"):
    call(f"aten::{name} 0 1", getattr(F, name), VECTORS)

UNARY = """abs neg sign square sqrt rsqrt reciprocal exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh
tanh asinh acosh atanh erf erfc erfinv sigmoid logit floor ceil round trunc frac positive logical_not bitwise_not isnan
isinf isfinite signbit sgn angle deg2rad rad2deg digamma lgamma sinc i0 sum prod mean amax amin max min argmax argmin any
all std var median nansum logsumexp@0 cumsum@0 cumprod@0 logcumsumexp@0 cummax@0 cummin@0 sort topk@1 kthvalue@1 mode
bincount diff flip@0 roll@1 zeros_like ones_like nonzero count_nonzero clone softmax@0 log_softmax@0 norm
nan_to_num trapezoid real""".split()
ARGUMENT = {"flip": "dims", "roll": "shifts", "topk": "k", "kthvalue": "k"}
for word in UNARY:
    name, _, number = word.partition("@")
    spelling = {"softmax": "F.softmax", "log_softmax": "F.log_softmax", "sigmoid": "F.sigmoid"}.get(name, f"torch.{name}")
    argument = f" {ARGUMENT.get(name, 'dim')}={number}" if number else ""
    kinds = ONE[:1] if name in ("roll", "topk", "bincount", "diff", "flip", "trapezoid", "nonzero") else ONE
    call(f"{spelling} 0{argument}", lambda x, name=name, number=number: getattr(torch, name)(
        x, *([int(digit)] if name == "flip" else int(digit) for digit in number)), kinds)
for name in ("sum", "mean", "amax", "prod", "std", "argmax", "any"):
    call(f"torch.{name} 0 dim=0", lambda x, name=name: getattr(torch, name)(x, 0), ONE[:1])
for name in """relu relu6 gelu silu mish elu selu celu leaky_relu hardtanh hardswish hardsigmoid softplus softsign
logsigmoid tanhshrink hardshrink softshrink""".split():
    call(f"F.{name} 0", getattr(F, name), ONE)
for token in ("mul(@0,2)", "mul(@0,2.5)", "add(2,@0)", "sub(2.5,@0)", "pow(@0,2)", "pow(@0,0.5)", "pow(2,@0)", "div(@0,2)",
              "floor_divide(@0,2)", "remainder(@0,2)"):
    name, first, second = token.replace(")", "(").replace(",", "(").split("(")[:3]
    call(f"pnnx.Expression 0 expr={token}", lambda x, name=name, first=first, second=second: getattr(torch, name)(
        *(x if part == "@0" else eval(part) for part in (first, second))), ONE)


def operands(kind):
    if kind == "number":
        return NUMBERS
    return [torch.ones(SHAPES[kind], dtype=dtype) for dtype in DIGITS]


def digits(text, function, given):
    """Returns a character for each output."""
    type = text.split()[0]
    complex_given = any(isinstance(x, complex) or torch.is_tensor(x) and x.is_complex() for x in given)
    if complex_given and (type == "pnnx.Expression" or type.split(".")[-1] in REAL_ONLY):
        return None
    try:
        result = function(*given)
    except (RuntimeError, TypeError, NotImplementedError, IndexError):
        return None
    outputs = result if isinstance(result, (tuple, list)) else [result]
    return [DIGITS.get(output.dtype, ".") for output in outputs]


def print_table(text, function, kinds):
    rows = [[digits(text, function, (x, *rest)) for rest in itertools.product(*map(operands, kinds[1:]))]
            for x in operands(kinds[0])]
    outputs = max((len(cell) for row in rows for cell in row if cell), default=0)
    for output in range(outputs):
        words = ["".join(cell[output] if cell else "." for cell in row) for row in rows]
        print(f"  {' '.join(kinds)} output {output}: {' '.join(words)}")


def main():
    warnings.simplefilter("ignore")
    print("# Made by tools/make_promotion_table.py, which explains it.")
    print("types " + "".join(DIGITS.values()))
    for text, function, kinds in CALLS:
        print(text)
        for kind in kinds:
            print_table(text, function, kind)


if __name__ == "__main__":
    main()
