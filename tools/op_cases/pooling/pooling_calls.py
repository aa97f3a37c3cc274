# SPDX-License-Identifier: MIT
"""Pooling of drawn geometries."""
import torch
import torch.nn.functional as F

from ..calls import draw, wide


def pooling(w):
    dims = w.pick(1, 2, 2, 3)
    kernel = w.shape(dims, 1, 4)
    stride = w.pick(None, w.shape(dims, 1, 3))
    kind = w.pick("max", "max", "avg", "avg", "lp")
    dilation = w.shape(dims, 1, 2) if kind == "max" else [1] * dims
    padding = [w.rng.randint(0, ((k - 1) * d + 1) // 2) for k, d in zip(kernel, dilation)]
    if kind == "max":
        padding = [min(p, k // 2) for p, k in zip(padding, kernel)]
    image = [max((k - 1) * d + 1, e) for k, d, e in zip(kernel, dilation, w.shape(dims, 1, 9))]
    ceil = w.pick(True, False)
    params = {"kernel_size": kernel, "stride": stride, "ceil_mode": ceil}
    spelling = w.pick("nn.{}Pool%dd" % dims, "F.{}_pool%dd" % dims)
    if kind == "lp":
        dims_lp = min(dims, 2)
        kernel, image = kernel[:dims_lp], image[:dims_lp]
        stride = stride[:dims_lp] if stride else stride
        x = w.tensor(*w.leading(False), *image, low=0.1)
        p = w.pick(1.2, 2.0, 0.5, 3.0)
        pool = F.lp_pool1d if dims_lp == 1 else F.lp_pool2d
        arg = (lambda v: v[0] if dims_lp == 1 and v else v)
        out = wide(lambda t: pool(t, p, arg(kernel), arg(stride), ceil), x)
        params = {"kernel_size": kernel, "stride": stride, "ceil_mode": ceil, "norm_type": p}
        w.add(f"F.lp_pool{dims_lp}d", [x], params, out, tolerance=5e-6)
        return
    x = w.tensor(*w.leading(), *image)
    params["padding"] = padding
    if kind == "max":
        indices = w.pick(True, False)
        params.update(dilation=dilation, return_indices=indices)
        pool = getattr(F, f"max_pool{dims}d")
        out = pool(x, kernel, stride, padding, dilation, ceil, indices)
        w.add(spelling.format("Max" if "nn" in spelling else "max"), [x], params, list(out) if indices else [out],
              tolerance=0)
        return
    include = w.pick(True, False)
    params["count_include_pad"] = include
    extra = []
    if dims > 1:
        params["divisor_override"] = w.pick(None, None, 5)
        extra = [params["divisor_override"]]
    pool = getattr(F, f"avg_pool{dims}d")
    out = wide(lambda t: pool(t, kernel, stride, padding, ceil, include, *extra), x)
    if dims == 2 and w.rng.random() < 0.3:
        w.add("aten::avg_pool2d", [x, kernel, stride or [], padding, ceil, include, extra[0]], {}, out)
    else:
        w.add(spelling.format("Avg" if "nn" in spelling else "avg"), [x], params, out)


def adaptive_pooling(w):
    dims = w.pick(1, 2, 2, 3)
    x = w.tensor(*w.leading(), *w.shape(dims, 1, 9))
    size = w.shape(dims, 0, 6)
    torch_size = [s or None for s in size]
    if dims == 1:
        torch_size = size = [max(size[0], 1)]
    if w.pick(True, False):
        pool = getattr(F, f"adaptive_avg_pool{dims}d")
        w.add(w.pick(f"nn.AdaptiveAvgPool{dims}d", f"F.adaptive_avg_pool{dims}d"), [x], {"output_size": size},
              wide(lambda t: pool(t, torch_size), x))
    else:
        pool = getattr(F, f"adaptive_max_pool{dims}d")
        indices = w.pick(True, False)
        out = pool(x, torch_size, return_indices=indices)
        w.add(w.pick(f"nn.AdaptiveMaxPool{dims}d", f"F.adaptive_max_pool{dims}d"), [x],
              {"output_size": size, "return_indices": indices}, list(out) if indices else [out], tolerance=0)


def limits(w):
    """Adds norms of infinite order, and extents of 0, which the converter's lines take for None."""
    for dims, pool in ((1, F.lp_pool1d), (2, F.lp_pool2d), (3, F.lp_pool3d)):
        x = w.tensor(2, 3, *w.shape(dims, 4, 6))
        for p in (float("inf"), float("-inf")):
            w.add(f"F.lp_pool{dims}d", [x], {"kernel_size": 3, "stride": 2, "ceil_mode": True, "norm_type": p},
                  [pool(x, p, 3, 2, True)], tolerance=0)
    aten = torch.ops.aten
    for size in ([0], [0, 2], [2, 0], [1, 0, 2]):
        x = w.tensor(2, 3, *[4] * len(size))
        average, most = (f"adaptive_{kind}_pool{len(size)}d" for kind in ("avg", "max"))
        w.add("aten::" + average, [x, size], {}, [getattr(aten, average)(x, size)], tolerance=0)
        w.add("aten::" + most, [x, size], {}, list(getattr(aten, most)(x, size)), tolerance=0)


draw("pooling", 1, (pooling, 20))
draw("pooling_limits", 1, (limits, 1))
draw("adaptive_pooling", 1, (adaptive_pooling, 20))
