# SPDX-License-Identifier: MIT
"""Cases: unpooling, fractional windows, raw pooling operators and rarer options."""
import torch
import torch.nn.functional as F
from torch import nn

from ..case import add, fn, raw, written


def unpool(dimensions, kernel, stride=None, padding=0, size=None):
    """Maxima put back to where they were."""
    pool = (None, F.max_pool1d, F.max_pool2d, F.max_pool3d)[dimensions]
    back = (None, F.max_unpool1d, F.max_unpool2d, F.max_unpool3d)[dimensions]

    def function(x):
        y, indices = pool(x, kernel, stride, padding, return_indices=True)
        return back(y, indices, kernel, stride, padding, output_size=size)
    return function


fn("max_unpool1d", unpool(1, 2, size=(8,)), (2, 3, 8))
fn("max_unpool1d_uneven", unpool(1, 3, 2, 1, (10,)), (2, 3, 10))
fn("max_unpool2d", unpool(2, 2, size=(6, 8)), (2, 3, 6, 8))
fn("max_unpool2d_uneven", unpool(2, (2, 3), (2, 3), 0, (7, 10)), (2, 3, 7, 10))
fn("max_unpool2d_overlap", unpool(2, 3, 2, 1, (9, 9)), (1, 3, 9, 9))
fn("max_unpool2d_unbatched", unpool(2, 2, size=(6, 8)), (3, 6, 8))
fn("max_unpool2d_f64", unpool(2, 2, size=(6, 8)), (torch.float64, (1, 3, 6, 8)))
fn("max_unpool3d", unpool(3, 2, size=(4, 6, 8)), (1, 2, 4, 6, 8))
fn("max_unpool3d_uneven", unpool(3, 2, 2, 0, (5, 7, 8)), (1, 2, 5, 7, 8))
INDICES = lambda *shape: lambda: torch.randperm(24)[: shape[-1] * shape[-2]].reshape(shape[-2:]).expand(shape).contiguous()
raw("aten_max_unpool2d", "aten::max_unpool2d", lambda x, i: torch._C._nn.max_unpool2d(x, i, (4, 6)), ("$0", "$1", [4, 6]), (2, 3, 2, 3), INDICES(2, 3, 2, 3))
raw("aten_max_unpool3d", "aten::max_unpool3d", lambda x, i: torch._C._nn.max_unpool3d(x, i, (2, 3, 4), (2, 2, 2), (0, 0, 0)), ("$0", "$1", [2, 3, 4], [2, 2, 2], [0, 0, 0]), (1, 3, 1, 1, 2), lambda: torch.tensor([3, 17]).expand(1, 3, 1, 1, 2).contiguous())
WRITTEN = """
    pnnx.Input pnnx_input_0 0 1 0 #0=(2,3,2,3)f32
    pnnx.Input pnnx_input_1 0 1 1 #1=(2,3,2,3)i64
    {type} unpool 2 1 0 1 2 {params} #2=(?,?,?,?)f32
    pnnx.Output pnnx_output_0 1 0 2
"""
for type in ("F.max_unpool2d", "nn.MaxUnpool2d"):
    name = type.replace(".", "_").lower()
    written(f"{name}_written", WRITTEN.format(type=type, params="kernel_size=2"), lambda x, i: F.max_unpool2d(x, i, 2), (2, 3, 2, 3), INDICES(2, 3, 2, 3))
    written(f"{name}_written_size", WRITTEN.format(type=type, params="kernel_size=(3,2) stride=2 padding=(1,0) output_size=(2,3,4,7)"), lambda x, i: F.max_unpool2d(x, i, (3, 2), 2, (1, 0), (4, 7)), (2, 3, 2, 3), lambda: torch.randperm(24)[:6].reshape(2, 3).expand(2, 3, 2, 3).contiguous() % 8)

for k in (1, 2, 3):
    shape = (2, 3, 9) if k == 1 else (2, 3, 8, 7) if k == 2 else (2, 3, 6, 7, 6)
    pool = getattr(F, f"max_pool{k}d")
    fn(f"max_pool{k}d_dilated", lambda x, p=pool: p(x, 3, 2, 1, 2, True), shape)
    fn(f"max_pool{k}d_pair", lambda x, p=pool: p(x, 3, 2, 1, return_indices=True), shape)
    fn(f"max_pool{k}d_pair_dilated", lambda x, p=pool: p(x, 2, 1, 1, 2, False, True), shape)
    fn(f"adaptive_max_pool{k}d_pair", lambda x, p=getattr(F, f"adaptive_max_pool{k}d"), k=k: p(x, (4, 2, 3)[:k], return_indices=True), shape)
    fn(f"adaptive_avg_pool{k}d_unbatched", lambda x, p=getattr(F, f"adaptive_avg_pool{k}d"), k=k: p(x, (4, 2, 3)[:k]), shape[1:])
    average = getattr(F, f"avg_pool{k}d")
    fn(f"avg_pool{k}d_exclude", lambda x, p=average: p(x, 3, 2, 1, True, False), shape)
    fn(f"avg_pool{k}d_include", lambda x, p=average: p(x, 4, 3, 2, True, True), shape)
    lp = getattr(F, f"lp_pool{k}d")
    fn(f"lp_pool{k}d_functional", lambda x, p=lp: (p(x, 2, 3), p(x, 2.0, 2, 1), p(x, 4, 3, 2, True)), shape)
    fn(f"lp_pool{k}d_negative", lambda x, p=lp: (p(x, 3, 2), p(x, 1, 3)), shape)
    fn(f"lp_pool{k}d_small_norm", lambda x, p=lp: (p(x, 0.5, 2), p(x, 1.2, 3, 1)), ("pos", shape), tolerance=1e-5)
    add(f"lp_pool{k}d_module", lambda k=k: getattr(nn, f"LPPool{k}d")(2, 3, 2), shape)
    raw(f"aten_max_pool{k}d", f"aten::max_pool{k}d", lambda x, p=pool: p(x, 3, 2, 1, 1, True), ("$0", [3] * k, [2] * k, [1] * k, [1] * k, True), shape)
    raw(f"aten_max_pool{k}d_default_stride", f"aten::max_pool{k}d", lambda x, p=pool: p(x, 3), ("$0", [3] * k, [], [0] * k, [1] * k, False), shape)
    raw(f"aten_max_pool{k}d_with_indices", f"aten::max_pool{k}d_with_indices", lambda x, p=pool: p(x, 3, 2, 1, 1, False, True), ("$0", [3] * k, [2] * k, [1] * k, [1] * k, False), shape, outputs=2)
    raw(f"aten_adaptive_avg_pool{k}d", f"aten::adaptive_avg_pool{k}d", lambda x, p=getattr(F, f"adaptive_avg_pool{k}d"), k=k: p(x, (2, 3, 4)[:k]), ("$0", [2, 3, 4][:k]), shape)
    raw(f"aten_adaptive_max_pool{k}d", f"aten::adaptive_max_pool{k}d", lambda x, p=getattr(F, f"adaptive_max_pool{k}d"), k=k: p(x, (2, 3, 4)[:k], True), ("$0", [2, 3, 4][:k]), shape, outputs=2)
    arguments = ("$0", [3] * k, [2] * k, [1] * k, True, False) + (() if k == 1 else (None,))
    raw(f"aten_avg_pool{k}d", f"aten::avg_pool{k}d", lambda x, p=average: p(x, 3, 2, 1, True, False), arguments, shape)
    if k > 1:
        fn(f"avg_pool{k}d_divisor_functional", lambda x, p=average: (p(x, 3, 2, 1, divisor_override=5), p(x, 2, ceil_mode=True, count_include_pad=False, divisor_override=-3)), shape)
        raw(f"aten_avg_pool{k}d_divisor", f"aten::avg_pool{k}d", lambda x, p=average: p(x, 3, 2, 1, True, True, 7), ("$0", [3] * k, [2] * k, [1] * k, True, True, 7), shape)
        raw(f"aten_adaptive_avg_pool{k}d_inner", f"aten::_adaptive_avg_pool{k}d", lambda x, p=getattr(F, f"adaptive_avg_pool{k}d"), k=k: p(x, (2, 3, 4)[:k]), ("$0", [2, 3, 4][:k]), shape)
        function = getattr(torch._C._nn, f"fractional_max_pool{k}d")
        samples = ("unit", (2, 3, k))
        raw(f"aten_fractional_max_pool{k}d", f"aten::fractional_max_pool{k}d", lambda x, s, f=function, k=k: f(x, [2, 3, 2][:k], [4, 4, 4][:k], s), ("$0", [2, 3, 2][:k], [4, 4, 4][:k], "$1"), shape, samples, outputs=2)
        raw(f"aten_fractional_max_pool{k}d_one", f"aten::fractional_max_pool{k}d", lambda x, s, f=function, k=k: f(x, [3] * k, [1] * k, s), ("$0", [3] * k, [1] * k, "$1"), shape, samples, outputs=2)
        fn(f"fractional_max_pool{k}d_functional", lambda x, s, k=k: getattr(F, f"fractional_max_pool{k}d")(x, 2, output_size=(4,) * k, _random_samples=s), shape, samples)
        fn(f"fractional_max_pool{k}d_ratio", lambda x, s, k=k: getattr(F, f"fractional_max_pool{k}d")(x, 3, output_ratio=(0.6,) * k, return_indices=True, _random_samples=s), shape, samples)
fn("max_pool2d_int", lambda x: F.max_pool2d(x, 2), ("signed", (1, 2, 6, 6), 50))
fn("max_pool2d_infinite", lambda x: F.max_pool2d(x / 0 * -1, 3, 2, 1, return_indices=True), ("pos", (1, 2, 6, 6)))
fn("max_pool2d_nan", lambda x: F.max_pool2d(torch.where(x > 1, x / 0 - x / 0, x), 3, 2, 1, return_indices=True), (1, 2, 8, 8))
fn("max_pool2d_mostly_padding", lambda x: F.max_pool2d(x, 2, 2, 1, ceil_mode=True), (1, 2, 1, 3))
