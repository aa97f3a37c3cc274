# SPDX-License-Identifier: MIT
"""Cases: expressions and logic."""
import torch

from ..case import fn, written

fn("expr_add_mul", lambda x, y: x + y * 2.5 - 1, (2, 3, 4), (2, 3, 4))
fn("expr_broadcast", lambda x, y: x * y, (2, 3, 4, 5), (3, 1, 1))
fn("expr_broadcast_both", lambda x, y: x - y, (2, 1, 4), (3, 1))
fn("expr_same_twice", lambda x: x + x, (2, 3))
fn("expr_rsub", lambda x: 1 - x, (2, 3))
fn("expr_div_pow", lambda x, y: (x / y) ** 2, ("pos", (2, 3)), ("pos", (2, 3)))
for name in ("abs", "ceil", "cos", "erf", "exp", "expm1", "floor", "neg", "round", "sign", "sin", "sinh", "square", "tan", "tanh",
             "trunc", "atan", "cosh", "asinh"):
    fn("expr_" + name, lambda x, name=name: getattr(torch, name)(x) + 0.25, (3, 17))
for name in ("log", "log10", "log1p", "rsqrt", "sqrt", "reciprocal"):
    fn("expr_" + name, lambda x, name=name: getattr(torch, name)(x) * 0.5, ("pos", (3, 17)))
fn("expr_min_max", lambda x, y: torch.maximum(x, y) - torch.minimum(x, y), (3, 5), (3, 5))
fn("expr_fmod_remainder", lambda x, y: torch.fmod(x, y) + torch.remainder(x, y), (3, 5), ("pos", (3, 5)))
fn("expr_atan2_logaddexp", lambda x, y: torch.atan2(x, y) + torch.logaddexp(x, y), (3, 5), (3, 5))
fn("expr_int_add", lambda x, y: x * 3 + y, ("signed", (3, 5), 100), ("signed", (3, 5), 100))
fn("expr_int_floor_divide", lambda x: torch.floor_divide(x, 4) * 2 + x % 3, ("signed", (3, 5), 100))
fn("expr_int_true_divide", lambda x: x / 4, ("signed", (3, 5), 100))
fn("expr_int_float", lambda x, y: x * y + 0.5, ("signed", (3, 5), 100), (3, 5))
fn("expr_bits", lambda x, y: (x & y) | (x ^ 5), ("int", (3, 5), 64), ("int", (3, 5), 64))
for name in ("eq", "ne", "lt", "le", "gt", "ge"):
    fn("cmp_" + name, lambda x, y, name=name: getattr(torch, name)(x, y), ("signed", (4, 5), 3), ("signed", (4, 5), 3))
fn("cmp_scalar", lambda x: x > 0.25, (3, 5))
fn("where", lambda x, y: torch.where(x > 0, x, y), (3, 5), (5,))
fn("where_scalar", lambda x: torch.where(x > 0, x, -1.0), (3, 5))
fn("masked_fill", lambda x, m: x.masked_fill(m, -1e9), (3, 5), ("bool", (3, 5)))
fn("logical", lambda a, b: torch.logical_or(torch.logical_not(a), b), ("bool", (3, 5)), ("bool", (3, 5)))
fn("index_columns", lambda x: x[:, [2, 0]], (3, 4))
fn("gather", lambda x, i: torch.gather(x, 1, i), (3, 5), ("int", (3, 2), 5))
fn("index_select", lambda x, i: torch.index_select(x, 1, i), (3, 5), ("int", (4,), 5))
fn("zeros_like", lambda x: torch.zeros_like(x) + x, (3, 5))
fn("to_long", lambda x: (x * 10).to(torch.int64), (3, 5))
fn("to_float", lambda x: x.to(torch.float32) / 3, ("int", (3, 5), 64))

for name in ("acos", "asin", "atanh", "erfinv"):
    fn("unary_" + name, lambda x, name=name: getattr(torch, name)(x * 0.99) * 1.5, ("unit", (3, 17)))
for name in ("acosh", "log2", "lgamma", "digamma"):
    fn("unary_" + name, lambda x, name=name: getattr(torch, name)(x + 1.5) * 1.5, ("pos", (3, 17)), tolerance=1e-4)
for name in ("erfc", "exp2", "frac", "deg2rad", "rad2deg", "sinc", "sigmoid", "relu", "positive", "logical_not", "isnan", "isinf", "isfinite", "signbit"):
    fn("unary_" + name, lambda x, name=name: getattr(torch, name)(x), (3, 17))
SHAPES = {"same": ((2, 3, 4), (2, 3, 4)), "row": ((2, 3, 4), (4,)), "column": ((2, 3, 4), (3, 1)), "both": ((2, 1, 4), (3, 1)),
          "one": ((2, 3), (1,)), "empty": ((2, 0), (1,)), "rank5": ((2, 1, 2, 1, 3), (3, 1, 2, 1))}
for short, (left, right) in SHAPES.items():
    fn(f"add_{short}", lambda x, y: x + y, left, right)
    fn(f"sub_{short}", lambda x, y: x - y, left, right)
    fn(f"mul_{short}", lambda x, y: x * y, left, right)
    fn(f"div_{short}", lambda x, y: x / y, left, ("pos", right))
    fn(f"pow_{short}", lambda x, y: x ** y, ("pos", left), right)
    fn(f"maximum_{short}", torch.maximum, left, right)
    fn(f"atan2_{short}", torch.atan2, left, right)
    fn(f"eq_{short}", torch.eq, left, right)
fn("chain", lambda x, y, z: torch.sigmoid(x * y + z) * torch.tanh(x - z) / (1 + torch.exp(-y)), (3, 70), (3, 70), (70,))
fn("long_chain", lambda x: torch.sin(torch.cos(torch.exp(torch.sin(x * 0.5) + 1.25) * -0.1) - 2e-05) ** 3, (3, 70))
fn("scientific", lambda x: x * 1e-05 + 2.5e10 * 1e-10 - -3, (3, 7))
fn("transposed_operand", lambda x, y: x.transpose(0, 1) + y, (3, 4), (4, 3))
fn("two_transposed", lambda x, y: x.transpose(0, 1) * y.transpose(0, 1), (3, 4), (3, 4))
fn("sub_alpha", lambda x, y: torch.sub(x, y, alpha=0.5), (3, 4), (3, 4))
fn("add_alpha", lambda x, y: torch.add(x, y, alpha=2), (3, 4), (3, 4))
fn("rsub_tensor", lambda x, y: torch.rsub(x, y, alpha=2), (3, 4), (3, 4))
fn("square_root_of_sum", lambda x, y: torch.sqrt(x * x + y * y), (3, 4), (3, 4))
fn("floor_divide_float", lambda x: x // 0.7, (3, 9))
fn("mod_float", lambda x: x % 0.7, (3, 9))
fn("pow_scalar_base", lambda x: 2.0 ** x, (3, 9))
fn("pow_half", lambda x: x ** 0.5, ("pos", (3, 9)))
fn("pow_minus_one", lambda x: x ** -1, ("pos", (3, 9)))
fn("reciprocal_of_number", lambda x: 3.0 / x, ("pos", (3, 9)))
fn("compare_chain", lambda x, y: (x > 0) & (y <= 0.5) | (x < -1), (3, 9), (3, 9))
fn("compare_to_float", lambda x: (x > 0).float() * x, (3, 9))
fn("clamp_both_tensors", lambda x, a, b: torch.clamp(x, a, b), (3, 4), ("int", (3, 4), 1), ("pos", (4,)))
fn("inf_arithmetic", lambda x: torch.exp(x * 1000) - torch.exp(x * -1000), (3, 4))
fn("nan_comparison", lambda x: (x / 0 * 0) == x, (3, 4))
fn("size_scaled", lambda x: x / x.shape[-1], (3, 4), other=[(2, 9)])
fn("size_sum", lambda x: x * (x.shape[0] + x.shape[1] * 2), (3, 4), other=[(2, 9)])
fn("sqrt_of_size", lambda x: x / x.shape[-1] ** 0.5, (3, 4), other=[(2, 9)])

# Numbers alone, which are computed as Python does; the array only carries them.
for number, value in {"add(mul(1.0+2.0j,3),2.5)": (1 + 2j) * 3 + 2.5, "div(sub(1,0.0+4.0j),0.5-1.0j)": (1 - 4j) / (0.5 - 1j),
                      "pow(0.0+1.0j,2)": 1j ** 2, "neg(1.0-2.0j)": -(1 - 2j), "abs(3.0+4.0j)": 5.0}.items():
    name = "complex_numbers_" + number.split("(")[0]
    written(name, f"""pnnx.Input pnnx_input_0 0 1 0 #0=(2,3)c64
                      pnnx.Expression e 1 1 0 1 expr=mul(@0,{number})
                      pnnx.Output pnnx_output_0 1 0 1""", lambda x, value=value: x * value, lambda: torch.complex(torch.randn(2, 3), torch.randn(2, 3)))
