# SPDX-License-Identifier: MIT
"""Cases: element types, promotion, integer division, casts."""
import torch
import torch.nn.functional as F

from ..case import fn

FLOATS = {"f16": torch.float16, "f32": torch.float32, "f64": torch.float64}
INTEGERS = {"u8": torch.uint8, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64}
TYPES = {**FLOATS, **INTEGERS, "bool": torch.bool}
SMALL = ("int", (3, 5), 9)


def values(dtype, low=0):
    """Small whole numbers that every type holds."""
    return lambda: torch.randint(low, 9, (3, 5)).to(dtype)


for name, dtype in TYPES.items():
    for other_name, other in TYPES.items():
        fn(f"add_{name}_{other_name}", lambda x, y: x + y, values(dtype), values(other, 1))
        if other != torch.float16:  # the converter drops these
            fn(f"to_{name}_{other_name}", lambda x, other=other: x.to(other), values(dtype))
for name, dtype in {**FLOATS, **INTEGERS}.items():
    fn(f"mul_number_{name}", lambda x: x * 3, values(dtype))
    fn(f"mul_real_{name}", lambda x: x * 2.5, values(dtype))
    fn(f"rsub_{name}", lambda x: 7 - x, values(dtype))
    fn(f"div_{name}", lambda x, y: x / y, values(dtype), values(dtype, 1))
    fn(f"remainder_{name}", lambda x, y: torch.remainder(x, y), values(dtype), values(dtype, 1))
    fn(f"fmod_{name}", lambda x, y: torch.fmod(x, y), values(dtype), values(dtype, 1))
    fn(f"pow2_{name}", lambda x: x ** 2, values(dtype))
    fn(f"compare_{name}", lambda x, y: x > y, values(dtype), values(dtype))
    fn(f"compare_number_{name}", lambda x: x <= 4, values(dtype))
    fn(f"maximum_{name}", torch.maximum, values(dtype), values(dtype))
    fn(f"clamp_{name}", lambda x: torch.clamp(x, 2, 6), values(dtype))
    fn(f"where_{name}", lambda x, y: torch.where(x > 4, x, y), values(dtype), values(dtype))
    fn(f"sum_{name}", lambda x: x.sum(1), values(dtype))
    fn(f"amax_{name}", lambda x: x.amax(0), values(dtype))
    fn(f"argmax_{name}", lambda x: x.argmax(1), values(dtype))
    fn(f"cumsum_{name}", lambda x: x.cumsum(1), values(dtype))
    fn(f"cat_{name}", lambda x, y: torch.cat((x, y), 1), values(dtype), values(dtype))
    fn(f"zeros_like_{name}", lambda x: torch.zeros_like(x) + x, values(dtype))
    fn(f"full_like_{name}", lambda x: torch.full_like(x, 3) + x, values(dtype))
    fn(f"abs_{name}", torch.abs, values(dtype))
for name, dtype in INTEGERS.items():
    if dtype != torch.uint8:
        fn(f"remainder_negative_{name}", lambda x, y: torch.remainder(x, y),
           lambda dtype=dtype: torch.arange(-7, 8).to(dtype), lambda dtype=dtype: torch.full((15,), -3).to(dtype))
        fn(f"fmod_negative_{name}", lambda x, y: torch.fmod(x, y),
           lambda dtype=dtype: torch.arange(-7, 8).to(dtype), lambda dtype=dtype: torch.full((15,), 3).to(dtype))
        fn(f"neg_{name}", lambda x: -x, lambda dtype=dtype: torch.arange(-7, 8).to(dtype))
    fn(f"bits_{name}", lambda x, y: (x & y) | (x ^ y), values(dtype), values(dtype))
    fn(f"not_{name}", torch.bitwise_not, values(dtype))
    fn(f"shift_left_{name}", torch.bitwise_left_shift, values(dtype), lambda dtype=dtype: torch.randint(0, 3, (3, 5)).to(dtype))
    fn(f"shift_right_{name}", torch.bitwise_right_shift, values(dtype), lambda dtype=dtype: torch.randint(0, 3, (3, 5)).to(dtype))
    fn(f"exp_{name}", torch.exp, values(dtype))
    fn(f"sqrt_{name}", torch.sqrt, values(dtype))
    fn(f"prod_{name}", lambda x: x.prod(1), values(dtype, 1))
    fn(f"sigmoid_{name}", torch.sigmoid, values(dtype))
fn("overflow_u8", lambda x: x * 60, values(torch.uint8))
fn("overflow_i8", lambda x: x * 60, values(torch.int8))
fn("overflow_i32", lambda x: x * 1000000000, values(torch.int32))
fn("not_bool", torch.bitwise_not, ("bool", (3, 5)))
fn("invert_bool", lambda x: ~x, ("bool", (3, 5)))
fn("bool_and", lambda x, y: x & y, ("bool", (3, 5)), ("bool", (3, 5)))
fn("bool_xor", lambda x, y: x ^ y, ("bool", (3, 5)), ("bool", (3, 5)))
fn("bool_sum", lambda x: x.sum(1), ("bool", (3, 5)))
fn("bool_any", lambda x: x.any(1), ("bool", (3, 5)))
fn("bool_all", lambda x: x.all(0), ("bool", (3, 5)))
fn("bool_mul_float", lambda x, y: x * y, ("bool", (3, 5)), (3, 5))
fn("bool_cumsum", lambda x: x.cumsum(1), ("bool", (3, 5)))
for logical in ("logical_and", "logical_or", "logical_xor"):
    for name, dtype in TYPES.items():
        fn(f"{logical}_{name}", lambda x, y, logical=logical: getattr(torch, logical)(x, y), values(dtype), values(dtype))
fn("float_to_int_truncates", lambda x: x.to(torch.int32), lambda: torch.tensor([-1.7, -0.5, 0.5, 1.5, 2.5]))
fn("float_to_bool", lambda x: x.to(torch.bool), lambda: torch.tensor([-1.7, 0.0, 0.5]))
fn("long", lambda x: x.long(), (3, 5))
fn("type_as", lambda x, y: x.type_as(y), (3, 5), ("int", (2,), 3))
for op in ("matmul", "mm"):
    for name, dtype in {"f64": torch.float64, "i64": torch.int64, "i32": torch.int32, "f16": torch.float16}.items():
        fn(f"{op}_{name}", getattr(torch, op), lambda dtype=dtype: torch.randint(-4, 5, (3, 4)).to(dtype),
           lambda dtype=dtype: torch.randint(-4, 5, (4, 2)).to(dtype), tolerance=1e-3 if name == "f16" else None)
for name, call in {"softmax": lambda x: torch.softmax(x, 1), "layer_norm": lambda x: torch.nn.functional.layer_norm(x, (5,)),
                   "relu": torch.relu, "gelu": torch.nn.functional.gelu, "mean": lambda x: x.mean(1),
                   "var": lambda x: x.var(1), "tanh": torch.tanh, "norm": lambda x: x.norm(dim=1)}.items():
    fn(f"{name}_f64", call, (torch.float64, (3, 5)), tolerance=1e-12)
    fn(f"{name}_f16", call, (torch.float16, (3, 5)), tolerance=2e-3)
fn("conv_f64", torch.nn.functional.conv2d, (torch.float64, (1, 2, 5, 5)), (torch.float64, (3, 2, 3, 3)), tolerance=1e-12)
fn("linear_f64", torch.nn.functional.linear, (torch.float64, (2, 5)), (torch.float64, (3, 5)), tolerance=1e-12)
fn("max_pool_f64", lambda x: torch.nn.functional.max_pool2d(x, 2), (torch.float64, (1, 2, 4, 6)))
fn("interpolate_f64", lambda x: torch.nn.functional.interpolate(x, scale_factor=2.0, mode="bilinear"), (torch.float64, (1, 2, 4, 5)), tolerance=1e-12)

# The converter drops these: only the type that it notes at the output tells.
ASKED = {"i64": torch.int64, "i32": torch.int32, "i16": torch.int16, "u8": torch.uint8, "f32": torch.float32, "f64": torch.float64}
for asked, dtype in ASKED.items():
    for given in ("i32", "f32", "bool"):
        source = lambda given=given: {"i32": torch.arange(-30, 30).to(torch.int32), "f32": torch.arange(60) * 2.7,
                                      "bool": torch.arange(60) % 3 > 0}[given].reshape(3, 20)
        fn(f"sum_{given}_as_{asked}", lambda x, dtype=dtype: x.sum(1, dtype=dtype), source)
        fn(f"cumsum_{given}_as_{asked}", lambda x, dtype=dtype: x.cumsum(1, dtype=dtype), source)
for asked in ("i64", "i32", "f64"):
    dtype = ASKED[asked]
    ones = lambda: torch.arange(1, 13).reshape(3, 4).float()
    fn(f"prod_as_{asked}", lambda x, dtype=dtype: x.prod(1, dtype=dtype), ones)
    fn(f"cumprod_as_{asked}", lambda x, dtype=dtype: x.cumprod(1, dtype=dtype), ones)
fn("mean_as_f64", lambda x: x.mean(1, dtype=torch.float64), (3, 5))
fn("softmax_as_f64", lambda x: F.softmax(x, 1, dtype=torch.float64), (3, 5))
fn("log_softmax_of_int", lambda x: F.log_softmax(x, 1, dtype=torch.float32), ("int", (3, 5), 9))

fn("zero_in_place", lambda x: (x + 1) * x.clone().zero_() + 2, (3, 4))

# The converter drops the rounding of these; only where the result is an index must it be an integer.
INDEX = lambda: torch.arange(20, 62)
fn("div_floor_to_gather", lambda x, i: x.gather(0, torch.div(i, 7, rounding_mode="floor")), (9,), INDEX)
fn("div_floor_to_gather_rows", lambda x, i: x.gather(0, torch.div(i, 7, rounding_mode="floor").unsqueeze(-1).expand(-1, 5)) * torch.div(i, 7, rounding_mode="floor").unsqueeze(-1), (9, 5), INDEX)
fn("div_floor_to_index", lambda x, i: x[:, torch.div(i, 7, rounding_mode="floor") - 1], (2, 9), INDEX)
fn("div_floor_to_embedding", lambda x, i: F.embedding(torch.div(i, 7, rounding_mode="floor"), x), (9, 4), INDEX)

# float16 beside float32: numbers of rank 0 give way, arrays don't, and what only moves elements keeps each type.
HALF, SINGLE = (torch.float16, (3, 5)), (3, 5)
fn("half_tuple", lambda x, y: (x * 2, y * 2), HALF, SINGLE, tolerance=2e-3)
fn("half_tuple_of_chains", lambda x, y: ((x + 1) * x, (y + 1) * y, x + y), HALF, SINGLE, tolerance=2e-3)
fn("half_and_whole_tuple", lambda x, i: (x * 2, i / 2, i * 2), HALF, SMALL, tolerance=2e-3)
for name, call in {"add": torch.add, "mul": torch.mul, "maximum": torch.maximum, "pow": lambda x, y: x.abs() ** y.abs(),
                   "atan2": torch.atan2, "where": lambda x, y: torch.where(x > 0, x, y),
                   "masked_fill": lambda x, y: x.masked_fill(x > 0, y)}.items():
    fn(f"half_{name}_number", lambda x, y, call=call: call(x, y.mean()), HALF, SINGLE, tolerance=2e-3)
    if name != "masked_fill":
        fn(f"number_{name}_half", lambda x, y, call=call: call(y.mean(), x), HALF, SINGLE, tolerance=2e-3)
        fn(f"half_{name}_single", call, HALF, SINGLE, tolerance=2e-3)
fn("half_expand_as", lambda x, y: x.expand_as(y), (torch.float16, (1, 5)), SINGLE)
fn("half_view_as", lambda x, y: x.view_as(y), HALF, (5, 3))
fn("half_broadcast_tensors", lambda x, y: torch.broadcast_tensors(x, y), HALF, (1, 5))
fn("half_cat_single", lambda x, y: torch.cat((x, y)), HALF, SINGLE)
fn("half_type_as", lambda x, y: (x.type_as(y), y.type_as(x)), HALF, SINGLE, tolerance=2e-3)
fn("half_scatter", lambda x, i, y: x.scatter(1, i, y), HALF, ("int", (3, 2), 5), (torch.float16, (3, 2)))
fn("half_max", lambda x: x.max(1), HALF)
fn("half_sort", lambda x: torch.sort(x, 1), HALF)
fn("half_argmax", lambda x: x.argmax(1), HALF)
fn("half_compare_single", lambda x, y: (x > y, x == x), HALF, SINGLE)
fn("addcmul_small", lambda x, y, z: torch.addcmul(x, y, z, value=3), *[(torch.int16, SMALL)] * 3)
fn("addcmul_truncates_value", lambda x, y: torch.addcmul(x, x, y, value=1.5), *[("signed", (3, 5), 9)] * 2)
fn("square_bool", torch.square, ("bool", (3, 5)))
fn("outer_mixed", torch.outer, (3,), ("int", (4,), 9))
fn("block_diag_mixed", lambda x, y: torch.block_diag(x, y), (2, 2), ("int", (1, 3), 9))
fn("cosine_similarity_mixed", F.cosine_similarity, (torch.float64, (3, 5)), (3, 5), tolerance=1e-6)
fn("pairwise_distance_mixed", F.pairwise_distance, (torch.float64, (3, 5)), (3, 5), tolerance=1e-6)
fn("ldexp_f64", torch.ldexp, (torch.float64, (3, 5)), (torch.int32, SMALL))
