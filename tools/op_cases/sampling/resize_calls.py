# SPDX-License-Identifier: MIT
"""Resizing to drawn sizes and by drawn factors."""
import torch
import torch.nn.functional as F

from ..calls import draw


def resize(w):
    mode, dims = w.pick(("nearest", 1), ("nearest", 2), ("nearest", 3), ("nearest-exact", 2), ("linear", 1),
                        ("bilinear", 2), ("bilinear", 2), ("bicubic", 2), ("trilinear", 3), ("area", 2), ("area", 3))
    x = w.tensor(*w.leading(False), *w.shape(dims, 1, 8 if dims < 3 else 4))
    kwargs = {"mode": mode}
    if w.pick(True, False):
        kwargs["size"] = w.shape(dims, 1, 13 if dims < 3 else 7)
    else:
        kwargs["scale_factor"] = [w.pick(2.0, 3.0, 1.5, 0.7, 1.499, 3.11, 0.4, 1.05, 4.0) for _ in range(dims)]
        if min(int(e * s) for e, s in zip(x.shape[2:], kwargs["scale_factor"])) < 1:
            kwargs["scale_factor"] = [2.5] * dims
        if w.pick(True, False):
            kwargs["recompute_scale_factor"] = w.pick(True, False)
    if "linear" in mode or mode == "bicubic":
        kwargs["align_corners"] = w.pick(True, False)
    if mode in ("bilinear", "bicubic") and not kwargs.get("align_corners") and w.rng.random() < 0.2:
        kwargs["antialias"] = True
    out = F.interpolate(x, **kwargs)
    op = w.pick("F.interpolate", "F.upsample", "nn.Upsample")
    params = dict(kwargs)
    raw = {("nearest", 2): "upsample_nearest2d", ("bilinear", 2): "upsample_bilinear2d",
           ("bicubic", 2): "upsample_bicubic2d", ("linear", 1): "upsample_linear1d",
           ("nearest", 1): "upsample_nearest1d", ("trilinear", 3): "upsample_trilinear3d"}.get((mode, dims))
    if raw and "antialias" not in kwargs and "recompute_scale_factor" not in kwargs and w.rng.random() < 0.4:
        align = [kwargs["align_corners"]] if "align_corners" in kwargs else []
        w.add("aten::" + raw, [x, kwargs.get("size"), *align, kwargs.get("scale_factor")], {}, [out], tolerance=3e-6)
    else:
        w.add(op, [x], params, [out], tolerance=3e-6)


def kept_extents(w):
    """Adds axes that keep their extent, whose scale doesn't count, and antialiased images with NaN and infinity."""
    aten = torch.ops.aten
    x = w.tensor(2, 3, 5, 4)
    for type in ("_upsample_bilinear2d_aa", "_upsample_bicubic2d_aa", "upsample_bilinear2d"):
        function = getattr(aten, type)
        for size, scales in (([5, 3], (2.7, None)), ([7, 4], (None, 0.4)), ([5, 4], (0.3, 1.9))):
            w.add("aten::" + type, [x, size, False, *scales], {}, [function(x, size, False, *scales)], tolerance=3e-6)
        for value in (float("nan"), float("inf"), float("-inf")):
            marked = w.tensor(1, 2, 5, 4)
            marked[:, 0, 0, 0] = marked[:, 1, 2, 3] = value
            # With 3 of 5 rows a weight is about 0, and rounding decides whether infinity times it is NaN.
            for size in ([5, 4], [5, 8], [5, 3], [9, 4], *([[3, 4]] if value != value else [])):
                w.add("aten::" + type, [marked, size, False, None, None], {}, [function(marked, size, False, None, None)],
                      tolerance=3e-6)
    for type in ("upsample_linear1d", "upsample_trilinear3d"):
        line = torch.tensor([1.0, 2.0, float("nan"), 3.0]).reshape(1, 1, *[1] * (0 if "1d" in type else 2), 4)
        size = list(line.shape[2:])
        w.add("aten::" + type, [line, size, False], {}, [getattr(aten, type)(line, size, False)], tolerance=0)


def bytes_of_images(w):
    """Adds the nearest elements of images of bytes."""
    for dims in (1, 2, 3):
        x = torch.randint(0, 256, (2, 3, *w.shape(dims, 1, 5))).to(torch.uint8)
        for size in (w.shape(dims, 1, 9), [2 * e for e in x.shape[2:]]):
            for mode in ("nearest", "nearest-exact"):
                w.add("F.interpolate", [x], {"size": size, "mode": mode}, [F.interpolate(x, size=size, mode=mode)],
                      tolerance=0)
        nearest = getattr(torch.ops.aten, f"upsample_nearest{dims}d")
        w.add(f"aten::upsample_nearest{dims}d", [x, None, [1.7] * dims], {}, [nearest(x, None, [1.7] * dims)], tolerance=0)


draw("resize", 1, (resize, 20))
draw("resize_bytes", 1, (bytes_of_images, 1))
draw("resize_kept", 1, (kept_extents, 1))
