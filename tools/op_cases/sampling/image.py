# SPDX-License-Identifier: MIT
"""Cases: resize, padding, shuffles."""
import torch.nn.functional as F
from torch import nn

from ..case import add, fn

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

for rank, shape, modes in ((1, (1, 2, 7), ("nearest", "linear", "nearest-exact")), (2, (1, 2, 5, 7), ("nearest", "bilinear", "bicubic", "nearest-exact", "area")),
                           (3, (1, 2, 3, 4, 5), ("nearest", "trilinear", "nearest-exact"))):
    for mode in modes:
        for corners in ((None,) if mode in ("nearest", "nearest-exact", "area") else (None, True)):
            for short, target in (("up", {"scale_factor": 2.0}), ("odd", {"scale_factor": 1.7}), ("down", {"scale_factor": 0.6}), ("size", {"size": (9, 4, 6)[:rank]})):
                fn(f"resize{rank}d_{mode}_{corners}_{short}".replace("-", "_"), lambda x, mode=mode, corners=corners, target=target:
                   F.interpolate(x, mode=mode, align_corners=corners, **target), shape)
for mode in ("constant", "reflect", "replicate", "circular"):
    fn(f"pad1d_{mode}", lambda x, mode=mode: F.pad(x, (2, 3), mode), (2, 3, 6))
    fn(f"pad2d_{mode}", lambda x, mode=mode: F.pad(x, (2, 0, 1, 3), mode), (2, 3, 6, 5))
    fn(f"pad3d_{mode}", lambda x, mode=mode: F.pad(x, (1, 2, 0, 1, 2, 1), mode), (1, 2, 4, 5, 4))
fn("pad_one_axis", lambda x: F.pad(x, (0, 0, 0, 0, 1, 2), value=-1.0), (2, 3, 4, 5))
fn("pad_rank1", lambda x: F.pad(x, (2, 1), value=0.5), (5,))
fn("pad_all_axes", lambda x: F.pad(x, (1, 1, 2, 0, 0, 2)), (2, 3, 4))
fn("pad_negative", lambda x: F.pad(x, (-1, -2)), (2, 7))
fn("pad_int", lambda x: F.pad(x, (1, 2), value=7), ("int", (2, 3), 9))
fn("pad_bool", lambda x: F.pad(x, (1, 2), value=True), ("bool", (2, 3)))
for module, sizes, shape in (("ReflectionPad1d", (2, 1), (2, 3, 5)), ("ReplicationPad1d", (2, 1), (2, 3, 5)), ("ReplicationPad3d", (1, 2, 1, 0, 2, 1), (1, 2, 3, 4, 5)),
                             ("ConstantPad2d", (1, 0, 2, 1), (1, 2, 4, 5)), ("ConstantPad3d", (1, 2, 1, 0, 2, 1), (1, 2, 3, 4, 5))):
    add(module.lower(), lambda module=module, sizes=sizes: getattr(nn, module)(sizes, 0.5) if "Constant" in module else getattr(nn, module)(sizes), shape)
add("reflection_pad2d_one_image", lambda: nn.ReflectionPad2d(1), (2, 4, 5))
for factor in (1, 2, 3):
    add(f"shuffle_{factor}", lambda factor=factor: nn.PixelShuffle(factor), (2, 36, 2, 3))
    add(f"unshuffle_{factor}", lambda factor=factor: nn.PixelUnshuffle(factor), (2, 2, 6, 12))
fn("shuffle_functional", lambda x: F.pixel_shuffle(x, 2), (1, 8, 2, 3))
fn("unshuffle_functional", lambda x: F.pixel_unshuffle(x, 2), (1, 2, 4, 6))
fn("shuffle_one_image", lambda x: F.pixel_shuffle(x, 2), (8, 2, 3))
for groups in (1, 2, 4):
    add(f"channel_shuffle_{groups}", lambda groups=groups: nn.ChannelShuffle(groups), (1, 8, 3, 3))
for kernel, stride, padding, dilation in ((2, 1, 0, 1), (3, 2, 1, 1), (2, 2, 0, 2), ((2, 3), (1, 2), (1, 0), (2, 1))):
    short = f"{kernel}_{stride}_{padding}_{dilation}".replace("(", "").replace(")", "").replace(", ", "x")
    add(f"unfold_{short}", lambda kernel=kernel, stride=stride, padding=padding, dilation=dilation: nn.Unfold(kernel, dilation, padding, stride), (2, 3, 7, 8))
add("fold", lambda: nn.Fold((5, 6), 2), (2, 12, 20))
add("fold_stride", lambda: nn.Fold((6, 8), (2, 4), stride=2), (1, 16, 9))
add("fold_all", lambda: nn.Fold((6, 7), (3, 2), 1, 1, (2, 1)), (1, 18, 24))
fn("unfold_functional", lambda x: F.unfold(x, 3, padding=1), (1, 2, 5, 6))
fn("fold_functional", lambda x: F.fold(x, (4, 5), (2, 2)), (1, 8, 12))
fn("upsample_dynamic", lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), (1, 2, 4, 5), other=[(2, 2, 7, 3)])
fn("upsample_to_other", lambda x, y: F.interpolate(x, size=y.shape[2:], mode="nearest") + y, (1, 2, 4, 5), (1, 2, 8, 9), other=[(1, 2, 4, 5), (1, 2, 11, 6)])
