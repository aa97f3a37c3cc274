# SPDX-License-Identifier: MIT
"""Cases: raw spellings and rarer forms of resizing, padding, shuffles, windows, convolution and normalisation."""
import torch
import torch.nn.functional as F
from torch import nn

from ..case import add, fn, raw

NN = torch._C._nn
IMAGE = {1: (2, 3, 7), 2: (2, 3, 5, 6), 3: (1, 2, 3, 4, 5)}
OUT = {1: [11], 2: [9, 4], 3: [5, 3, 9]}
SCALES = {1: [1.7], 2: [1.7, 2.3], 3: [1.7, 0.8, 2.0]}

# upsample_*: sizes, sizes with scales, and the overload with a list of scales.
for k, name in ((1, "upsample_nearest1d"), (2, "upsample_nearest2d"), (3, "upsample_nearest3d"), (1, "_upsample_nearest_exact1d"), (2, "_upsample_nearest_exact2d"), (3, "_upsample_nearest_exact3d")):
    function = getattr(torch.ops.aten, name)
    case = "aten_" + name.strip("_")
    raw(case, "aten::" + name, lambda x, f=function, k=k: f(x, OUT[k], *[None] * k), ("$0", OUT[k], *[None] * k), IMAGE[k])
    raw(case + "_scales", "aten::" + name, lambda x, f=function, k=k: f(x, [int(n * s) for n, s in zip(IMAGE[k][2:], SCALES[k])], *SCALES[k]), ("$0", [int(n * s) for n, s in zip(IMAGE[k][2:], SCALES[k])], *SCALES[k]), IMAGE[k])
    raw(case + "_vec", "aten::" + name, lambda x, f=function, k=k: f.vec(x, None, SCALES[k]), ("$0", None, SCALES[k]), IMAGE[k])
    raw(case + "_vec_size", "aten::" + name, lambda x, f=function, k=k: f.vec(x, OUT[k], None), ("$0", OUT[k], None), IMAGE[k])
for k, name in ((1, "upsample_linear1d"), (2, "upsample_bilinear2d"), (2, "upsample_bicubic2d"), (3, "upsample_trilinear3d"), (2, "_upsample_bilinear2d_aa"), (2, "_upsample_bicubic2d_aa")):
    function = getattr(torch.ops.aten, name)
    case = "aten_" + name.strip("_")
    for corners in (False, True):
        raw(f"{case}_corners{int(corners)}", "aten::" + name, lambda x, f=function, k=k, c=corners: f(x, OUT[k], c, *[None] * k), ("$0", OUT[k], corners, *[None] * k), IMAGE[k])
        raw(f"{case}_vec_corners{int(corners)}", "aten::" + name, lambda x, f=function, k=k, c=corners: f.vec(x, None, c, SCALES[k]), ("$0", None, corners, SCALES[k]), IMAGE[k])
    raw(f"{case}_vec_size", "aten::" + name, lambda x, f=function, k=k: f.vec(x, OUT[k], False, None), ("$0", OUT[k], False, None), IMAGE[k])
for mode in ("bilinear", "bicubic"):
    for size in ((3, 2), (9, 3), (11, 13)):
        for corners in (False, True):
            fn(f"interpolate_{mode}_antialias_{size[0]}_{size[1]}_corners{int(corners)}", lambda x, m=mode, s=size, c=corners: F.interpolate(x, s, mode=m, antialias=True, align_corners=c), (1, 2, 7, 9))
    fn(f"interpolate_{mode}_antialias_scale", lambda x, m=mode: F.interpolate(x, scale_factor=(0.4, 0.7), mode=m, antialias=True), (1, 2, 9, 10))
    fn(f"interpolate_{mode}_f64", lambda x, m=mode: F.interpolate(x, scale_factor=1.6, mode=m), (torch.float64, (1, 2, 4, 5)))
for k in (1, 2, 3):
    fn(f"interpolate_area_{k}d", lambda x, k=k: F.interpolate(x, OUT[k], mode="area"), IMAGE[k])
    fn(f"interpolate_nearest_{k}d", lambda x, k=k: (F.interpolate(x, scale_factor=1.4, mode="nearest"), F.interpolate(x, OUT[k], mode="nearest-exact")), IMAGE[k])
fn("interpolate_size_of_other", lambda x, y: F.interpolate(x, y.shape[2:], mode="bilinear", align_corners=True), (1, 2, 4, 5), (1, 2, 7, 6), other=((1, 2, 3, 6), (1, 2, 8, 4)))

# Padding: every mode and rank, unbatched, negative amounts.
PAD = {1: (1, 2), 2: (1, 2, 2, 0), 3: (1, 2, 2, 0, 1, 1)}
for k in (1, 2, 3):
    for mode in ("constant", "reflect", "replicate", "circular"):
        fn(f"pad_{mode}_{k}d", lambda x, m=mode, k=k: F.pad(x, PAD[k], mode=m), IMAGE[k])
        if mode != "circular":
            fn(f"pad_{mode}_{k}d_unbatched", lambda x, m=mode, k=k: F.pad(x, PAD[k], mode=m), IMAGE[k][1:])
        fn(f"pad_{mode}_{k}d_crop", lambda x, m=mode, k=k: F.pad(x, (-1, 2) + PAD[k][2:], mode=m), IMAGE[k])
        if mode in ("constant", "circular"):
            raw(f"aten_pad_{mode}_{k}d", "aten::pad", lambda x, m=mode, k=k: F.pad(x, PAD[k], mode=m), ("$0", PAD[k], mode, None), IMAGE[k])
    raw(f"aten_reflection_pad{k}d", f"aten::reflection_pad{k}d", lambda x, k=k: F.pad(x, PAD[k], mode="reflect"), ("$0", PAD[k]), IMAGE[k])
    raw(f"aten_replication_pad{k}d", f"aten::replication_pad{k}d", lambda x, k=k: F.pad(x, PAD[k], mode="replicate"), ("$0", PAD[k]), IMAGE[k])
    raw(f"aten_pad_circular_{k}d_inner", "aten::_pad_circular", lambda x, k=k: F.pad(x, PAD[k], mode="circular"), ("$0", PAD[k]), IMAGE[k])
    for name in ("ConstantPad", "ZeroPad", "ReflectionPad", "ReplicationPad", "CircularPad"):
        make = getattr(nn, f"{name}{k}d")
        add(f"{name.lower()}{k}d_module", lambda m=make, n=name, k=k: m(PAD[k], 0.3) if n == "ConstantPad" else m(PAD[k]), IMAGE[k])
raw("aten_constant_pad_nd", "aten::constant_pad_nd", lambda x: F.pad(x, (1, -1, 0, 2, 1, 0), value=2.5), ("$0", [1, -1, 0, 2, 1, 0], 2.5), (2, 3, 4))
raw("aten_constant_pad_nd_int", "aten::constant_pad_nd", lambda x: F.pad(x, (1, 1), value=7), ("$0", [1, 1], 7), ("signed", (2, 3), 9))
fn("pad_bool", lambda x: F.pad(x, (1, 1), value=True), ("bool", (2, 3)))
fn("pad_f64_all_axes", lambda x: F.pad(x, (1, 0, 0, 1, 2, 0), value=-0.5), (torch.float64, (2, 3, 4)))
fn("pad_sized", lambda x: F.pad(x, (0, x.shape[2], 0, 8 - x.shape[1])), (1, 3, 4), other=((1, 5, 6),))

# Shuffles and windows.
raw("aten_pixel_shuffle", "aten::pixel_shuffle", lambda x: F.pixel_shuffle(x, 2), ("$0", 2), (2, 8, 3, 4))
raw("aten_pixel_unshuffle", "aten::pixel_unshuffle", lambda x: F.pixel_unshuffle(x, 2), ("$0", 2), (2, 3, 4, 6))
raw("aten_channel_shuffle", "aten::channel_shuffle", lambda x: F.channel_shuffle(x, 3), ("$0", 3), (2, 6, 3, 4))
raw("aten_native_channel_shuffle", "aten::native_channel_shuffle", lambda x: torch.native_channel_shuffle(x, 2), ("$0", 2), (2, 6, 3, 4))
fn("pixel_shuffle_unbatched", lambda x: (F.pixel_shuffle(x, 3), F.pixel_unshuffle(x, 2)), (9, 4, 6))
fn("pixel_shuffle_int", lambda x: F.pixel_shuffle(x, 2), ("signed", (1, 1, 4, 2, 3), 99))
raw("aten_im2col", "aten::im2col", lambda x: NN.im2col(x, [2, 3], [1, 2], [1, 0], [2, 1]), ("$0", [2, 3], [1, 2], [1, 0], [2, 1]), (2, 3, 7, 8))
raw("aten_col2im", "aten::col2im", lambda x: NN.col2im(x, [5, 6], [2, 3], [1, 1], [1, 0], [2, 1]), ("$0", [5, 6], [2, 3], [1, 1], [1, 0], [2, 1]), (2, 18, 12))

# Convolution: positional arguments in schema order.
CONV = {1: (F.conv1d, F.conv_transpose1d), 2: (F.conv2d, F.conv_transpose2d), 3: (F.conv3d, F.conv_transpose3d)}
for k in (1, 2, 3):
    forward, transpose = CONV[k]
    kernel = (3, 2, 2)[:k]
    image, weight, back = (2, 4) + (7, 6, 5)[:k], (6, 2) + kernel, (4, 3) + kernel
    one, two = [1] * k, [2] * k
    raw(f"aten_conv{k}d", f"aten::conv{k}d", lambda x, w, b, f=forward: f(x, w, b, 2, 1, 1, 2), ("$0", "$1", "$2", two, one, one, 2), image, weight, (6,))
    raw(f"aten_conv{k}d_same", f"aten::conv{k}d", lambda x, w, f=forward: f(x, w, None, 1, "same", 2, 2), ("$0", "$1", None, one, "same", two, 2), image, weight)
    raw(f"aten_conv{k}d_valid", f"aten::conv{k}d", lambda x, w, f=forward: f(x, w, None, 2, "valid", 1, 2), ("$0", "$1", None, two, "valid", one, 2), image, weight)
    raw(f"aten_conv_transpose{k}d", f"aten::conv_transpose{k}d", lambda x, w, b, f=transpose: f(x, w, b, 2, 1, 1, 2, 1), ("$0", "$1", "$2", two, one, one, 2, one), image, back, (6,))
    raw(f"aten_convolution_{k}d", "aten::convolution", lambda x, w, b, f=forward: f(x, w, b, 2, 1, 1, 2), ("$0", "$1", "$2", two, one, one, False, [0] * k, 2), image, weight, (6,))
    raw(f"aten_convolution_transposed_{k}d", "aten::_convolution", lambda x, w, f=transpose: f(x, w, None, 2, 1, 1, 2, 1), ("$0", "$1", None, two, one, one, True, one, 2, False, False, True, True), image, back)
raw("aten_convolution_mode", "aten::_convolution_mode", lambda x, w: F.conv2d(x, w, padding="same"), ("$0", "$1", None, [1, 1], "same", [1, 1], 1), (1, 3, 5, 6), (2, 3, 3, 2))

# Normalisation.
STATS = [("pos", (3,)), (3,), (3,), ("pos", (3,))]  # weight, bias, mean, variance
for name, x in (("2", (4, 3)), ("3", (2, 3, 5)), ("4", (2, 3, 4, 5)), ("5", (1, 3, 2, 3, 4))):
    raw(f"aten_batch_norm_{name}", "aten::batch_norm", lambda x, w, b, m, v: F.batch_norm(x, m, v, w, b, False, 0.1, 1e-4), ("$0", "$1", "$2", "$3", "$4", False, 0.1, 1e-4, True), x, *STATS)
    raw(f"aten_batch_norm_plain_{name}", "aten::batch_norm", lambda x, m, v: F.batch_norm(x, m, v), ("$0", None, None, "$1", "$2", False, 0.1, 1e-5, True), x, STATS[2], STATS[3])
    raw(f"aten_batch_norm_training_{name}", "aten::batch_norm", lambda x, w, b: F.batch_norm(x, None, None, w, b, True), ("$0", "$1", "$2", None, None, True, 0.1, 1e-5, True), x, *STATS[:2])
    raw(f"aten_native_batch_norm_{name}", "aten::native_batch_norm", lambda x, w, b, m, v: F.batch_norm(x, m, v, w, b), ("$0", "$1", "$2", "$3", "$4", False, 0.1, 1e-5), x, *STATS)
    raw(f"aten_group_norm_{name}", "aten::group_norm", lambda x, w, b: F.group_norm(x, 3, w, b, 1e-4), ("$0", 3, "$1", "$2", 1e-4, True), x, *STATS[:2])
for name, x in (("3", (2, 3, 5)), ("4", (2, 3, 4, 5)), ("5", (1, 3, 2, 3, 4))):
    raw(f"aten_instance_norm_{name}", "aten::instance_norm", lambda x, w, b: F.instance_norm(x, None, None, w, b), ("$0", "$1", "$2", None, None, True, 0.1, 1e-5, True), x, *STATS[:2])
    raw(f"aten_instance_norm_tracked_{name}", "aten::instance_norm", lambda x, w, b, m, v: F.instance_norm(x, m, v, w, b, False), ("$0", "$1", "$2", "$3", "$4", False, 0.1, 1e-5, True), x, *STATS)
raw("aten_layer_norm", "aten::layer_norm", lambda x, w, b: F.layer_norm(x, (3, 4), w, b), ("$0", [3, 4], "$1", "$2", 1e-5, True), (2, 5, 3, 4), (3, 4), (3, 4))
raw("aten_layer_norm_weight_only", "aten::layer_norm", lambda x, w: F.layer_norm(x, (4,), w), ("$0", [4], "$1", None, 1e-5, False), (2, 5, 4), (4,))
raw("aten_rms_norm", "aten::rms_norm", lambda x, w: F.rms_norm(x, (4,), w), ("$0", [4], "$1", None), (2, 5, 4), (4,))
raw("aten_rms_norm_plain", "aten::rms_norm", lambda x: F.rms_norm(x, (5, 4), None, 1e-3), ("$0", [5, 4], None, 1e-3), (2, 5, 4))
fn("batch_norm_of_batch", lambda x, w, b: F.batch_norm(x, None, None, w, b, True), (4, 3, 5), (3,), (3,))
