# SPDX-License-Identifier: MIT
"""Cases: resize, padding, shuffles."""
import torch.nn.functional as F
from torch import nn

from .case import add, fn

for mode in ("nearest", "bilinear", "bicubic"):
    flags = (None,) if mode == "nearest" else (False, True)
    for corners in flags:
        suffix = "" if corners is None else f"_corners{int(corners)}"
        add(f"upsample_{mode}_size{suffix}", lambda mode=mode, corners=corners: nn.Upsample(size=(9, 11), mode=mode, align_corners=corners), (1, 3, 5, 6))
        add(f"upsample_{mode}_scale{suffix}", lambda mode=mode, corners=corners: nn.Upsample(scale_factor=(2, 3.11), mode=mode, align_corners=corners), (2, 3, 5, 6))
        add(f"upsample_{mode}_down{suffix}", lambda mode=mode, corners=corners: nn.Upsample(scale_factor=(0.7, 0.4), mode=mode, align_corners=corners), (1, 3, 10, 15))
add("upsample_nearest_1499", lambda: nn.Upsample(scale_factor=(1.499, 1.499), mode="nearest"), (1, 3, 12, 12))
add("upsample_nearest_1d", lambda: nn.Upsample(scale_factor=2, mode="nearest"), (2, 3, 7))
add("upsample_linear_1d", lambda: nn.Upsample(size=13, mode="linear"), (2, 3, 7))
add("upsample_trilinear", lambda: nn.Upsample(scale_factor=2, mode="trilinear"), (1, 2, 3, 4, 5))
add("upsample_nearest_3d", lambda: nn.Upsample(scale_factor=2, mode="nearest"), (1, 2, 3, 4, 5))
add("upsampling_nearest2d", lambda: nn.UpsamplingNearest2d(scale_factor=2), (1, 3, 5, 6))
add("upsampling_bilinear2d", lambda: nn.UpsamplingBilinear2d(size=(7, 9)), (1, 3, 5, 6))
fn("interpolate_nearest_exact", lambda x: F.interpolate(x, scale_factor=(1.7, 0.6), mode="nearest-exact"), (1, 3, 9, 10))
fn("interpolate_recompute", lambda x: F.interpolate(x, scale_factor=1.3, mode="bilinear", recompute_scale_factor=True), (1, 3, 9, 10))
fn("interpolate_bilinear", lambda x: F.interpolate(x, size=(4, 20), mode="bilinear"), (1, 3, 9, 10))
fn("pad_constant", lambda x: F.pad(x, (3, 4), value=1.3), (2, 3, 5))
fn("pad_constant_4d", lambda x: F.pad(x, (1, 2, 0, 3)), (1, 2, 4, 5))
fn("pad_crop", lambda x: F.pad(x, (-1, 2, 1, -2)), (1, 2, 4, 5))
fn("pad_reflect", lambda x: F.pad(x, (3, 4, 3, 4), mode="reflect"), (1, 2, 6, 6))
fn("pad_replicate_3d", lambda x: F.pad(x, (5, 0, 1, 2, 0, 2), mode="replicate"), (1, 2, 3, 4, 5))
fn("pad_circular", lambda x: F.pad(x, (1, 2, 2, 1), mode="circular"), (1, 2, 4, 5))
add("zero_pad2d", lambda: nn.ZeroPad2d((1, 2, 3, 4)), (1, 2, 4, 5))
add("constant_pad1d", lambda: nn.ConstantPad1d((2, 1), 0.7), (2, 3, 5))
add("reflection_pad2d", lambda: nn.ReflectionPad2d((1, 2, 3, 1)), (1, 2, 5, 6))
add("replication_pad2d", lambda: nn.ReplicationPad2d(2), (1, 2, 5, 6))
add("pixel_shuffle", lambda: nn.PixelShuffle(2), (1, 12, 3, 4))
add("pixel_unshuffle", lambda: nn.PixelUnshuffle(2), (1, 3, 6, 8))
add("channel_shuffle", lambda: nn.ChannelShuffle(3), (2, 6, 3, 4))
