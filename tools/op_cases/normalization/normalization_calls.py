# SPDX-License-Identifier: MIT
"""Normalization of drawn shapes, and softmax."""
import torch
import torch.nn.functional as F

from ..calls import draw, wide


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


draw("normalization", 1, (normalization, 20))
draw("softmax", 1, (softmax, 20))
