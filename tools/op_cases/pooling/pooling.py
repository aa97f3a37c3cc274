# SPDX-License-Identifier: MIT
"""Cases: pooling."""
import torch.nn.functional as F
from torch import nn

from ..case import add, fn

add("max_pool2d", lambda: nn.MaxPool2d(2), (2, 3, 8, 9))
add("max_pool2d_3s2p1", lambda: nn.MaxPool2d(3, 2, 1), (1, 3, 9, 11))
add("max_pool2d_ceil", lambda: nn.MaxPool2d((4, 5), (2, 3), (1, 2), ceil_mode=True), (1, 3, 12, 13))
add("max_pool2d_dilation", lambda: nn.MaxPool2d(3, 1, (0, 1), dilation=(1, 2)), (1, 3, 9, 9))
add("max_pool2d_indices", lambda: nn.MaxPool2d((3, 2), 2, 1, ceil_mode=True, return_indices=True), (2, 3, 9, 10))
add("max_pool2d_5s1p2", lambda: nn.MaxPool2d(5, 1, 2), (1, 4, 7, 7))
add("max_pool2d_unbatched", lambda: nn.MaxPool2d(2), (3, 8, 8))
add("max_pool1d", lambda: nn.MaxPool1d(3, 2, 1), (2, 3, 11))
add("max_pool3d", lambda: nn.MaxPool3d(2, ceil_mode=True), (1, 3, 5, 6, 7))
fn("max_pool1d_functional", lambda x: F.max_pool1d(x, 3), (2, 3, 11))
fn("max_pool2d_functional", lambda x: F.max_pool2d(x, 3, 2, ceil_mode=True), (2, 3, 10, 10))
add("avg_pool2d", lambda: nn.AvgPool2d(2), (2, 3, 8, 9))
add("avg_pool2d_exclude_pad", lambda: nn.AvgPool2d((4, 5), (1, 2), (1, 2), ceil_mode=True, count_include_pad=False), (1, 3, 9, 10))
add("avg_pool2d_include_pad_ceil", lambda: nn.AvgPool2d(3, 2, 1, ceil_mode=True), (1, 3, 10, 10))
add("avg_pool2d_divisor", lambda: nn.AvgPool2d((4, 5), 2, divisor_override=18), (1, 3, 9, 10))
add("avg_pool1d", lambda: nn.AvgPool1d(3, 2, 1), (2, 3, 11))
add("avg_pool3d", lambda: nn.AvgPool3d(2), (1, 3, 4, 6, 7))
fn("avg_pool2d_functional", lambda x: F.avg_pool2d(x, 3, 1, 1), (2, 3, 9, 9))
add("adaptive_avg_pool2d_1", lambda: nn.AdaptiveAvgPool2d(1), (2, 3, 7, 9))
add("adaptive_avg_pool2d_uneven", lambda: nn.AdaptiveAvgPool2d((3, 4)), (2, 3, 5, 7))
add("adaptive_avg_pool2d_none", lambda: nn.AdaptiveAvgPool2d((None, 3)), (2, 3, 5, 7))
add("adaptive_avg_pool2d_larger", lambda: nn.AdaptiveAvgPool2d((7, 9)), (1, 2, 5, 4))
add("adaptive_avg_pool1d", lambda: nn.AdaptiveAvgPool1d(3), (2, 3, 7))
add("adaptive_avg_pool3d", lambda: nn.AdaptiveAvgPool3d((2, 3, 2)), (1, 3, 5, 6, 7))
add("adaptive_max_pool2d", lambda: nn.AdaptiveMaxPool2d((3, 2)), (2, 3, 5, 7))
add("adaptive_max_pool1d", lambda: nn.AdaptiveMaxPool1d(4), (2, 3, 9))
fn("adaptive_avg_pool2d_functional", lambda x: F.adaptive_avg_pool2d(x, (2, 2)), (2, 3, 5, 7))
add("lp_pool2d", lambda: nn.LPPool2d(2, 3, 2), (1, 3, 9, 9))

for rank, shape in ((1, (2, 3, 17)), (2, (2, 3, 11, 13)), (3, (1, 2, 7, 8, 9))):
    for kind in ("Max", "Avg"):
        module = getattr(nn, f"{kind}Pool{rank}d")
        for kernel, stride, padding in ((2, None, 0), (3, 1, 1), (3, 2, 0), (4, 3, 2)):
            for ceil in (False, True):
                add(f"{kind.lower()}{rank}d_{kernel}_{stride}_{padding}_{int(ceil)}",
                    lambda module=module, kernel=kernel, stride=stride, padding=padding, ceil=ceil:
                    module(kernel, stride, padding, ceil_mode=ceil), shape)
    for size in (1, 2, 5):
        add(f"adaptive_avg{rank}d_{size}", lambda rank=rank, size=size: getattr(nn, f"AdaptiveAvgPool{rank}d")(size), shape)
        add(f"adaptive_max{rank}d_{size}", lambda rank=rank, size=size: getattr(nn, f"AdaptiveMaxPool{rank}d")(size), shape)
    add(f"max{rank}d_indices", lambda rank=rank: getattr(nn, f"MaxPool{rank}d")(3, 2, 1, return_indices=True), shape)
    add(f"max{rank}d_dilated", lambda rank=rank: getattr(nn, f"MaxPool{rank}d")(3, 1, 1, dilation=2), shape)
    add(f"adaptive_max{rank}d_indices", lambda rank=rank: getattr(nn, f"AdaptiveMaxPool{rank}d")(3, return_indices=True), shape)
    add(f"avg{rank}d_not_counting", lambda rank=rank: getattr(nn, f"AvgPool{rank}d")(3, 2, 1, ceil_mode=True, count_include_pad=False), shape)
    add(f"max{rank}d_unbatched", lambda rank=rank: getattr(nn, f"MaxPool{rank}d")(2), shape[1:])
    add(f"adaptive_avg{rank}d_unbatched", lambda rank=rank: getattr(nn, f"AdaptiveAvgPool{rank}d")(2), shape[1:])
    fn(f"avg{rank}d_functional", lambda x, rank=rank: getattr(F, f"avg_pool{rank}d")(x, 2), shape)
    fn(f"max{rank}d_functional", lambda x, rank=rank: getattr(F, f"max_pool{rank}d")(x, 3, 2, 1), shape)
    fn(f"adaptive_max{rank}d_functional", lambda x, rank=rank: getattr(F, f"adaptive_max_pool{rank}d")(x, 2), shape)
    fn(f"adaptive_avg{rank}d_functional", lambda x, rank=rank: getattr(F, f"adaptive_avg_pool{rank}d")(x, 3), shape)
add("lp_pool1d", lambda: nn.LPPool1d(2, 3, 2, ceil_mode=True), (1, 3, 10))
add("lp_pool2d_p1", lambda: nn.LPPool2d(1, (2, 3)), (1, 3, 9, 9))
fn("lp_pool2d_functional", lambda x: F.lp_pool2d(x, 3.0, 2), ("pos", (1, 3, 8, 8)))
add("max_dynamic", lambda: nn.MaxPool2d(3, 2, 1), (1, 2, 8, 8), other=[(2, 2, 9, 13)])
add("adaptive_dynamic", lambda: nn.AdaptiveAvgPool2d((3, 2)), (1, 2, 8, 8), other=[(2, 2, 9, 13)])
