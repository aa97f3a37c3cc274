# SPDX-License-Identifier: MIT
"""Cases: expressions and logic."""
import torch

from .case import fn

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
