#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes golden/*.json: operators with inputs, parameters and the results that PyTorch computes.

    python3 make_goldens.py [--out FOLDER] [--count N] [--seed S]

Geometries are drawn at random from the seed; --count is the number of cases per operator. Results are computed in
float64 from the float32 inputs, except where PyTorch's coordinates depend on the element type (resizing).
"""
import argparse
import json
import pathlib
import random

import torch
import torch.nn.functional as F

DTYPES = {torch.float32: "f32", torch.float64: "f64", torch.int64: "i64"}


class Writer:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.cases = []

    def tensor(self, *shape, low=-2.0, high=2.0):
        count = 1
        for extent in shape:
            count *= extent
        values = [round(self.rng.uniform(low, high), 2) for _ in range(count)]
        return torch.tensor(values, dtype=torch.float32).reshape(shape)

    def pick(self, *items):
        return self.rng.choice(items)

    def shape(self, dims, least=1, most=9):
        return [self.rng.randint(least, most) for _ in range(dims)]

    def leading(self, unbatched=True):
        lead = [self.rng.randint(1, 3), self.rng.randint(1, 4)]
        return lead[1:] if unbatched and self.rng.random() < 0.2 else lead

    def add(self, op, inputs, params, outputs=None, attributes=None, names=None, tolerance=1e-6, error=None):
        case = {
            "name": f"case{len(self.cases)}",
            "type": op,
            "params": params,
            "inputs": [array(x) for x in inputs],
            "input_names": names or [],
            "attributes": {k: array(v) for k, v in (attributes or {}).items()},
            "output_count": len(outputs) if outputs else 1,
        }
        if error:
            case["error"] = error
        else:
            case["outputs"] = [array(x) for x in outputs]
            case["tolerance"] = tolerance
        self.cases.append(case)


def array(x):
    if not isinstance(x, torch.Tensor):
        return x
    def number(v):
        return (int(v) if v == int(v) else v) if abs(v) < float("inf") else str(v)
    dtype = DTYPES[x.dtype]
    digits = {"i64": lambda v: v, "f32": lambda v: number(float(f"{v:.8g}")), "f64": number}[dtype]
    return {"dtype": dtype, "shape": list(x.shape), "data": [digits(v) for v in x.reshape(-1).tolist()]}


def wide(function, *tensors):
    """Computes in float64 and returns float32; integers stay unchanged."""
    results = function(*[None if t is None else t.double() for t in tensors])
    results = results if isinstance(results, tuple) else (results,)
    return [r.float() if r.is_floating_point() else r for r in results]


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


def pad(w):
    rank = w.rng.randint(1, 5)
    x = w.tensor(*w.shape(rank, 2, 6 if rank < 3 else 3))
    mode = w.pick("constant", "reflect", "replicate", "circular")
    if mode == "constant":
        pairs = w.rng.randint(1, rank)
        amounts = [w.rng.randint(-1, 3) for _ in range(2 * pairs)]
        value = w.pick(None, 1.3, -3.0)
        out = F.pad(x, amounts, mode, value)
        w.add(w.pick("F.pad", "nn.ConstantPad2d"), [x], {"pad": amounts, "mode": mode, "value": value}, [out],
              tolerance=0)
        return
    pairs = w.rng.randint(1, 3)
    x = w.tensor(*w.leading(False), *w.shape(pairs, 4, 6 if pairs < 3 else 4))
    amounts = [w.rng.randint(0, 3) for _ in range(2 * pairs)]
    w.add("F.pad", [x], {"pad": amounts, "mode": mode, "value": None}, [F.pad(x, amounts, mode)], tolerance=0)


def normalization(w):
    kind = w.pick("batch", "layer", "rms", "group", "instance", "lrn", "normalize")
    shape = w.leading(False) + w.shape(w.rng.randint(1, 3), 1, 6)
    affine = w.pick(True, False)
    eps = w.pick(1e-5, 1e-3, 0.1)
    if kind in ("batch", "instance"):
        dims = len(shape) - 2
        shape[-1] += 1
        channels = shape[1]
        x = w.tensor(*shape)
        mean, var = w.tensor(channels), w.tensor(channels, low=0.2)
        weight, bias = (w.tensor(channels), w.tensor(channels)) if affine else (None, None)
        side = {k: v for k, v in (("weight", weight), ("bias", bias)) if v is not None}
        if kind == "batch":
            out = wide(lambda a, m, v, s, b: F.batch_norm(a, m, v, s, b, False, 0.1, eps), x, mean, var, weight, bias)
            if w.pick(True, False):
                w.add(f"nn.BatchNorm{dims}d", [x], {"eps": eps, "num_features": channels, "affine": affine}, out,
                      attributes={"running_mean": mean, "running_var": var, **side}, tolerance=2e-6)
            elif w.pick(True, False):
                w.add("F.batch_norm", [x, mean, var] + ([weight, bias] if affine else []),
                      {"eps": eps} if affine else {"eps": eps, "weight": None, "bias": None}, out, tolerance=2e-6)
            else:
                w.add("aten::batch_norm", [x, weight, bias, mean, var, False, 0.1, eps, True], {}, out, tolerance=2e-6)
            return
        tracked = w.pick(True, False)
        if tracked:
            out = wide(lambda a, m, v, s, b: F.instance_norm(a, m, v, s, b, False, 0.1, eps), x, mean, var, weight,
                       bias)
            side.update(running_mean=mean, running_var=var)
        else:
            out = wide(lambda a, s, b: F.instance_norm(a, None, None, s, b, True, 0.1, eps), x, weight, bias)
        unbatched = shape[0] == 1 and w.pick(True, False)
        if unbatched:
            x, out = x[0], [out[0][0]]
        w.add(f"nn.InstanceNorm{dims}d", [x], {"eps": eps, "affine": affine, "track_running_stats": tracked}, out,
              attributes=side, tolerance=2e-5)
        return
    x = w.tensor(*shape)
    if kind in ("layer", "rms"):
        normalized = shape[-w.rng.randint(1, 2):]
        weight = w.tensor(*normalized) if affine else None
        bias = w.tensor(*normalized) if affine and kind == "layer" and w.pick(True, False) else None
        side = {k: v for k, v in (("weight", weight), ("bias", bias)) if v is not None}
        if kind == "rms":
            eps = w.pick(eps, None)
            real = torch.finfo(torch.float32).eps if eps is None else eps
            out = wide(lambda a, s: F.rms_norm(a, normalized, s, real), x, weight)
        else:
            out = wide(lambda a, s, b: F.layer_norm(a, normalized, s, b, eps), x, weight, bias)
        name = "LayerNorm" if kind == "layer" else "RMSNorm"
        if w.pick(True, False):
            w.add("nn." + name, [x], {"normalized_shape": normalized, "eps": eps, "elementwise_affine": affine}, out,
                  attributes=side, tolerance=1e-5)
        else:
            w.add("F." + ("layer_norm" if kind == "layer" else "rms_norm"), [x, *side.values()],
                  {"normalized_shape": normalized, "eps": eps}, out, names=["input", *side.keys()], tolerance=1e-5)
    elif kind == "group":
        groups = w.rng.randint(1, 3)
        x = w.tensor(shape[0], groups * w.rng.randint(1, 3), *shape[2:], 2)
        channels = x.shape[1]
        weight, bias = (w.tensor(channels), w.tensor(channels)) if affine else (None, None)
        out = wide(lambda a, s, b: F.group_norm(a, groups, s, b, eps), x, weight, bias)
        side = {"weight": weight, "bias": bias} if affine else {}
        if w.pick(True, False):
            w.add("nn.GroupNorm", [x], {"num_groups": groups, "eps": eps, "affine": affine}, out, attributes=side,
                  tolerance=1e-5)
        else:
            w.add("aten::group_norm", [x, groups, weight, bias, eps, True], {}, out, tolerance=1e-5)
    elif kind == "lrn":
        size, alpha, beta, k = w.rng.randint(1, 6), w.pick(1e-4, 0.5), w.pick(0.75, 0.5), w.pick(1.0, 2.0)
        w.add(w.pick("nn.LocalResponseNorm", "F.local_response_norm"), [x],
              {"size": size, "alpha": alpha, "beta": beta, "k": k},
              wide(lambda a: F.local_response_norm(a, size, alpha, beta, k), x))
    else:
        p = w.pick(2.0, 1.0, 3.0, 0.5, float("inf"), 0.0)
        dims = w.rng.sample(range(-len(shape), 0), w.pick(1, 1, 2))
        dim = dims if len(dims) > 1 else dims[0]
        params = {"p": p if p != float("inf") else "inf", "dim": dim, "eps": 1e-12}
        w.add("F.normalize", [x], params, wide(lambda a: F.normalize(a, p, dim), x))


def softmax(w):
    shape = w.shape(w.rng.randint(0, 4), 1, 7)
    x = w.tensor(*shape, low=-20, high=20)
    dim = w.pick(None, w.rng.randint(-max(len(shape), 1), max(len(shape), 1) - 1))
    name, function = w.pick(("Softmax", F.softmax), ("LogSoftmax", F.log_softmax), ("Softmin", F.softmin))
    out = wide(lambda a: function(a, dim, _stacklevel=5), x)
    w.add("nn." + name, [x], {"dim": dim}, out, tolerance=1e-6)


def recurrent(w):
    kind = w.pick("LSTM", "GRU", "RNN")
    size, hidden, layers = w.rng.randint(1, 5), w.rng.randint(2, 9), w.rng.randint(1, 3)
    steps, batch = w.rng.randint(1, 6), w.rng.randint(1, 3)
    params = {"input_size": size, "hidden_size": hidden, "num_layers": layers, "bias": w.pick(True, False),
              "batch_first": w.pick(True, False), "bidirectional": w.pick(True, False)}
    if kind == "RNN":
        params["nonlinearity"] = w.pick("tanh", "relu")
    projection = w.rng.randint(0, hidden - 1) if kind == "LSTM" else 0
    module = getattr(torch.nn, kind)(**params, **({"proj_size": projection} if projection else {})).eval()
    weights = {}
    with torch.no_grad():
        for name, weight in module.named_parameters():
            weight.copy_(w.tensor(*weight.shape, low=-0.6, high=0.6))
            weights[name] = weight.detach().clone()
    if kind == "LSTM":
        params["proj_size"] = projection
    unbatched = w.rng.random() < 0.2
    shape = [steps, size] if unbatched else [batch, steps, size] if params["batch_first"] else [steps, batch, size]
    x = w.tensor(*shape)
    passes = layers * (2 if params["bidirectional"] else 1)
    state = (lambda n: w.tensor(*([passes, n] if unbatched else [passes, batch, n])))
    inputs = [x]
    if w.pick(True, False):
        inputs.append(state(projection or hidden))
        if kind == "LSTM":
            inputs.append(state(hidden))
    module = module.double()
    with torch.no_grad():
        wide_inputs = [t.double() for t in inputs]
        initial = [] if len(inputs) == 1 else [tuple(wide_inputs[1:])] if kind == "LSTM" else [wide_inputs[1]]
        out, states = module(wide_inputs[0], *initial)
    outputs = [out, *states] if kind == "LSTM" else [out, states]
    outputs = [t.float() for t in outputs]
    swapped = w.rng.random() < 0.15
    if swapped:
        params["pnnx_rnn_output_swapped"] = 1
        w.add("nn." + kind, inputs, params, outputs[1:] + outputs[:1], attributes=weights, tolerance=3e-6)
        w.cases[-1]["output_count"] = 1
    else:
        w.add("nn." + kind, inputs, params, outputs[: w.pick(1, len(outputs))], attributes=weights, tolerance=3e-6)


def corners(w):
    """Adds empty batches, float64, integers, conversions."""
    for op, shape, params, out in (
        ("nn.MaxPool2d", (0, 2, 4, 4), {"kernel_size": 2}, (0, 2, 2, 2)),
        ("nn.AvgPool2d", (0, 2, 4, 4), {"kernel_size": 2}, (0, 2, 2, 2)),
        ("F.lp_pool2d", (0, 2, 4, 4), {"kernel_size": 2, "norm_type": 2}, (0, 2, 2, 2)),
        ("nn.AdaptiveAvgPool2d", (0, 2, 4, 4), {"output_size": 3}, (0, 2, 3, 3)),
        ("nn.Upsample", (0, 2, 4, 4), {"scale_factor": 2.0, "mode": "bilinear"}, (0, 2, 8, 8)),
        ("F.pad", (0, 2), {"pad": [1, 1]}, (0, 4)),
        ("nn.LayerNorm", (0, 3), {"normalized_shape": 3}, (0, 3)),
        ("nn.GroupNorm", (0, 4, 2), {"num_groups": 2}, (0, 4, 2)),
        ("nn.Softmax", (3, 0), {"dim": 1}, (3, 0)),
        ("nn.Softmax", (0, 3), {"dim": 1}, (0, 3)),
        ("F.normalize", (0, 3), {}, (0, 3)),
    ):
        w.add(op, [torch.zeros(shape)], params, [torch.zeros(out)])
    x = w.tensor(2, 3, 5, 4).double()
    exact = dict(tolerance=1e-7)
    w.add("nn.MaxPool2d", [x], {"kernel_size": 2}, [F.max_pool2d(x, 2)], **exact)
    w.add("nn.AvgPool2d", [x], {"kernel_size": 2}, [F.avg_pool2d(x, 2)], **exact)
    w.add("F.lp_pool2d", [x.abs()], {"kernel_size": 2, "norm_type": 3.0}, [F.lp_pool2d(x.abs(), 3.0, 2)], **exact)
    w.add("F.adaptive_max_pool2d", [x], {"output_size": 2}, [F.adaptive_max_pool2d(x, 2)], **exact)
    w.add("F.interpolate", [x], {"size": [7, 3], "mode": "bicubic"}, [F.interpolate(x, size=(7, 3), mode="bicubic")],
          **exact)
    w.add("F.layer_norm", [x], {"normalized_shape": 4}, [F.layer_norm(x, [4])], **exact)
    w.add("F.instance_norm", [x], {}, [F.instance_norm(x)], **exact)
    w.add("F.normalize", [x], {"dim": [0, 2]}, [F.normalize(x, dim=(0, 2))], **exact)
    w.add("nn.Softmax2d", [x], {}, [F.softmax(x, -3)], **exact)
    w.add("F.local_response_norm", [x], {"size": 2}, [F.local_response_norm(x, 2)], **exact)
    i = torch.arange(12).reshape(1, 3, 4)
    w.add("aten::softmax", [i, 2, 6], {}, [F.softmax(i, 2, dtype=torch.float32)], **exact)
    w.add("aten::log_softmax", [x, -1, None], {}, [F.log_softmax(x, -1)], **exact)
    w.add("aten::_softmax", [x, 1, False], {}, [F.softmax(x, 1)], **exact)
    w.add("nn.MaxPool1d", [i], {"kernel_size": 2}, [torch.tensor([[[1, 3], [5, 7], [9, 11]]])], **exact)
    w.add("F.pad", [i], {"pad": [1, -1], "value": 7}, [F.pad(i, (1, -1), value=7)], **exact)
    f = w.tensor(1, 2, 6, 6)
    pooled = F.max_pool2d(f, 2, return_indices=True)
    w.add("aten::max_pool2d_with_indices", [f, [2, 2], [], [0, 0], [1, 1], False], {}, list(pooled), **exact)
    w.add("aten::max_pool2d", [f, [3, 3], [2, 2], [1, 1], [1, 1], True], {},
          [F.max_pool2d(f, 3, 2, 1, 1, True)], **exact)
    w.add("nn.AdaptiveMaxPool2d", [f], {"output_size": 2, "return_indices": True},
          list(F.adaptive_max_pool2d(f, 2, return_indices=True)), **exact)
    w.cases[-1]["output_count"] = 1  # a tuple that prim::TupleUnpack takes apart
    bilinear = torch.ops.aten.upsample_bilinear2d
    w.add("aten::upsample_bilinear2d", [f, [8, 9], False, 1.4, 1.5], {}, [bilinear(f, [8, 9], False, 1.4, 1.5)],
          tolerance=3e-6)
    w.add("aten::upsample_nearest2d", [f, [8, 9], 1.4, 1.5], {},
          [torch.ops.aten.upsample_nearest2d(f, [8, 9], 1.4, 1.5)], **exact)
    w.add("aten::_upsample_nearest_exact2d", [f, None, [1.4, 1.5]], {},
          [torch.ops.aten._upsample_nearest_exact2d(f, None, [1.4, 1.5])], **exact)
    w.add("aten::_upsample_bilinear2d_aa", [f, [3, 4], False, None, None], {},
          [torch.ops.aten._upsample_bilinear2d_aa(f, [3, 4], False)], tolerance=3e-6)
    w.add("nn.UpsamplingBilinear2d", [f], {"size": None, "scale_factor": [2.0, 1.5]},
          [F.interpolate(f, scale_factor=(2.0, 1.5), mode="bilinear", align_corners=True)], tolerance=3e-6)
    w.add("nn.UpsamplingNearest2d", [f], {"size": [5, 7]}, [F.interpolate(f, size=(5, 7))], **exact)
    w.add("F.upsample_nearest", [f], {"scale_factor": [2.0, 2.0]}, [F.interpolate(f, scale_factor=2.0)], **exact)
    w.add("F.upsample_bilinear", [f], {"size": [9, 4]},
          [F.interpolate(f, size=(9, 4), mode="bilinear", align_corners=True)], tolerance=3e-6)
    w.add("aten::constant_pad_nd", [f, [1, 2], 3.5], {}, [F.pad(f, (1, 2), value=3.5)], **exact)
    w.add("aten::pad", [f, [1, 2, 0, 1], "reflect", None], {}, [F.pad(f, (1, 2, 0, 1), "reflect")], **exact)
    w.add("aten::reflection_pad2d", [f, [1, 2, 0, 1]], {}, [F.pad(f, (1, 2, 0, 1), "reflect")], **exact)
    w.add("aten::replication_pad2d", [f, [1, 2, 0, 1]], {}, [F.pad(f, (1, 2, 0, 1), "replicate")], **exact)
    w.add("nn.ZeroPad2d", [f], {"padding": [1, 2, 0, 1]}, [F.pad(f, (1, 2, 0, 1))], **exact)
    w.add("nn.ReflectionPad2d", [f], {"padding": [1, 2, 0, 1]}, [F.pad(f, (1, 2, 0, 1), "reflect")], **exact)
    w.add("nn.ReplicationPad2d", [f], {"padding": [1, 2, 0, 1]}, [F.pad(f, (1, 2, 0, 1), "replicate")], **exact)
    w.add("nn.CircularPad2d", [f], {"padding": [1, 2, 0, 1]}, [F.pad(f, (1, 2, 0, 1), "circular")], **exact)
    weight, bias = w.tensor(6), w.tensor(6)
    w.add("aten::layer_norm", [f, [6], weight, bias, 1e-5, True], {},
          wide(lambda a, s, b: F.layer_norm(a, [6], s, b), f, weight, bias))
    w.add("aten::rms_norm", [f, [6], weight, None], {}, [F.rms_norm(f, [6], weight)])
    pair = w.tensor(2), w.tensor(2)
    w.add("aten::instance_norm", [f, *pair, None, None, True, 0.1, 1e-5, True], {},
          wide(lambda a, s, b: F.instance_norm(a, None, None, s, b), f, *pair))
    w.add("F.group_norm", [f, *pair], {"num_groups": 2, "eps": 1e-5},
          wide(lambda a, s, b: F.group_norm(a, 2, s, b), f, *pair))


def errors(w):
    image = w.tensor(1, 2, 5, 5)
    row = w.tensor(2, 3)
    bad = lambda op, inputs, params, text, **kw: w.add(op, inputs, params, error=text, **kw)
    bad("nn.MaxPool2d", [row], {"kernel_size": [2, 2]}, "input is (2,3), expected rank 4 or, without a batch, 3")
    bad("nn.MaxPool2d", [image], {"kernel_size": [7, 2]}, "the window covers 7 elements")
    bad("nn.MaxPool2d", [image], {"kernel_size": [2, 2], "stride": [0, 1]}, "stride is 0")
    bad("nn.MaxPool2d", [image], {"kernel_size": [2, 2], "dilation": [0, 1]}, "dilation is 0")
    bad("nn.MaxPool2d", [image], {"kernel_size": [2, 2, 2]}, "a list of 2 ints")
    bad("nn.MaxPool2d", [image], {"kernel_size": [2, 2], "padding": [2, 0]}, "padding is 2, expected at most half")
    bad("nn.MaxPool2d", [image], {}, "argument 'kernel_size' is missing")
    bad("nn.AvgPool2d", [image], {"kernel_size": 2, "divisor_override": 0}, "divisor_override is 0")
    bad("F.avg_pool2d", [image], {"kernel_size": 2, "dilation": 2}, "dilation is 2, expected 1")
    bad("nn.AvgPool2d", [torch.ones(1, 1, 4, 4, dtype=torch.int64)], {"kernel_size": 2}, "input is int64")
    bad("F.lp_pool2d", [image], {"kernel_size": 2, "norm_type": 0}, "norm_type is 0")
    bad("nn.AdaptiveAvgPool2d", [image], {"output_size": [-1, 2]}, "output_size is -1")
    bad("nn.AdaptiveAvgPool2d", [torch.ones(1, 2, 0, 3)], {"output_size": 2}, "expected no empty image")
    bad("F.interpolate", [image], {"mode": "cubic", "size": 2}, "mode is 'cubic', expected one of 'nearest'")
    bad("F.interpolate", [image], {"mode": "bilinear"}, "neither size nor scale_factor")
    bad("F.interpolate", [image], {"mode": "bilinear", "size": [0, 3]}, "expected extents above 0")
    bad("F.interpolate", [image], {"mode": "bilinear", "scale_factor": 0.1}, "makes no image")
    bad("F.interpolate", [image], {"scale_factor": [1.5, 2.0, 2.0]}, "scale_factor has 3 numbers, expected 2")
    bad("F.interpolate", [image], {"mode": "trilinear", "size": 3}, "expected rank 5")
    bad("F.pad", [row], {"pad": [1]}, "pad has 1 numbers")
    bad("F.pad", [row], {"pad": [1, 1, 1, 1, 1, 1]}, "pad has 6 numbers")
    bad("F.pad", [row], {"pad": [1, -5]}, "leaves no valid extent")
    bad("F.pad", [row], {"pad": [3, 0], "mode": "reflect"}, "pad is 3, expected at most 2")
    bad("F.pad", [row], {"pad": [4, 0], "mode": "circular"}, "pad is 4, expected at most 3")
    bad("F.pad", [row], {"pad": [1, 0], "mode": "mirror"}, "mode is 'mirror'")
    channels = {"running_mean": w.tensor(2), "running_var": w.tensor(2)}
    bad("nn.BatchNorm2d", [image], {"eps": 1e-5}, "argument 'running_mean' is missing")
    bad("nn.BatchNorm2d", [image], {"eps": 1e-5}, "running_var is float32 (3), expected float32 (2)",
        attributes={"running_mean": w.tensor(2), "running_var": w.tensor(3)})
    bad("nn.BatchNorm2d", [image], {"affine": True}, "attribute 'weight' is missing", attributes=channels)
    bad("nn.LayerNorm", [row], {"normalized_shape": [4]}, "expected normalized_shape (4) as its last extents")
    bad("nn.LayerNorm", [row], {"normalized_shape": [3], "elementwise_affine": True}, "attribute 'weight' is missing")
    bad("nn.GroupNorm", [w.tensor(1, 5, 2)], {"num_groups": 2}, "a multiple of the 2 groups")
    bad("nn.GroupNorm", [w.tensor(3)], {"num_groups": 1}, "expected at least rank 2")
    bad("nn.InstanceNorm2d", [row], {}, "expected at least rank 3")
    bad("nn.LocalResponseNorm", [row], {"size": 3}, "expected at least rank 3")
    bad("nn.LocalResponseNorm", [image], {"size": 0}, "size is 0")
    bad("F.normalize", [row], {"dim": 2}, "argument 'dim' is axis 2")
    bad("nn.Softmax", [row], {"dim": -3}, "argument 'dim' is axis -3")
    bad("nn.Softmax", [torch.ones(2, dtype=torch.int64)], {"dim": 0}, "input is int64")
    gru = {"weight_ih_l0": w.tensor(6, 3), "weight_hh_l0": w.tensor(6, 2)}
    bad("nn.GRU", [row], {"hidden_size": 2, "bias": True}, "argument 'bias_ih_l0' is missing", attributes=gru)
    bad("nn.GRU", [row], {"hidden_size": 3, "bias": False}, "expected float32 (9,3)", attributes=gru)
    bad("nn.GRU", [row], {"hidden_size": 2, "bias": False, "input_size": 4}, "expected a last extent of input_size 4", attributes=gru)
    bad("nn.GRU", [row, w.tensor(1, 3)], {"hidden_size": 2, "bias": False}, "h0 is float32 (1,3)", attributes=gru)
    bad("nn.GRU", [w.tensor(3)], {"hidden_size": 2}, "expected rank 3")
    bad("nn.GRU", [torch.ones(0, 1, 3)], {"hidden_size": 2}, "at least one time step")
    bad("nn.GRU", [row], {"hidden_size": 0}, "expected both above 0")
    bad("nn.RNN", [row], {"hidden_size": 2, "nonlinearity": "sin"}, "nonlinearity is 'sin'")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    drawn = (pooling, adaptive_pooling, resize, pad, normalization, softmax, recurrent)
    for function in (*drawn, corners, errors):
        writer = Writer(options.seed)
        for _ in range(options.count if function in drawn else 1):
            function(writer)
        text = ",\n".join(json.dumps(case, separators=(",", ":")) for case in writer.cases)
        (options.out / f"{function.__name__}.json").write_text("[\n" + text + "\n]\n")


if __name__ == "__main__":
    main()
