# SPDX-License-Identifier: MIT
"""Resizing to drawn sizes and by drawn factors."""
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


draw("resize", 1, (resize, 20))
