# SPDX-License-Identifier: MIT
"""Reductions of arrays of drawn shapes and types."""
import torch
import torch.nn.functional as F

from ..calls import draw, exact, like


def as_list(results):
    return list(results) if isinstance(results, tuple) else [results]


def reduction(w):
    x = w.typed(w.any_shape())
    real = w.typed(x.shape, w.pick(torch.float32, torch.float32, torch.float64))
    finite = real.clone()
    if real.numel() and w.rng.random() < 0.2:
        real.view(-1)[w.rng.randrange(real.numel())] = float(w.pick("nan", "inf", "-inf"))
    keep = w.pick(True, False)
    axes = w.axes(x.dim(), 1)
    one = w.axis(x.dim())
    params = {"dim": axes, "keepdim": keep}
    close = {"tolerance": 2e-6}
    for name in ("sum", "amax", "amin"):
        function = getattr(torch, name)
        w.call("torch." + name, lambda: like(x, function(exact(x), axes, keep)), [x], params, **close)
        w.call("aten::" + name, lambda: like(real, function(exact(real), axes, keep)), [real, axes, keep], **close)
    w.call("torch.sum", lambda: like(x, torch.sum(exact(x))), [x], **close)
    w.call("aten::sum", lambda: like(real, torch.sum(exact(real))), [real, None], **close)
    w.call("aten::sum", lambda: torch.sum(x, axes, keep, dtype=torch.float64), [x, axes, keep, 7], **close)
    w.call("aten::prod", lambda: like(x, torch.prod(exact(x), one, keep)), [x, one, keep, None], **close)
    w.call("torch.prod", lambda: like(x, torch.prod(exact(x))), [x], **close)
    for name in ("all", "any", "count_nonzero"):
        function = getattr(torch, name)
        named = {} if name == "count_nonzero" else {"keepdim": keep}
        w.call("torch." + name, lambda: function(x, axes, *named.values()), [x], {"dim": axes, **named})
        w.call("aten::" + name, lambda: function(real), [real])
    for name in ("mean", "logsumexp", "nansum", "nanmean"):
        function = getattr(torch, name)
        w.call("torch." + name, lambda: like(real, function(exact(real), axes, keep)), [real], params, **close)
    w.call("torch.mean", lambda: like(real, exact(real).mean()), [real], **close)
    w.call("aten::mean", lambda: torch.mean(x, axes, keep, dtype=torch.float64), [x, axes, keep, 7], **close)
    w.call("torch.nansum", lambda: torch.nansum(x), [x], tolerance=2e-5)
    w.call("torch.logsumexp", lambda: like(x, torch.logsumexp(exact(x), axes, keep)) if x.is_floating_point()
           else torch.logsumexp(x, axes, keep), [x], params, **close)
    for name in ("var", "std", "var_mean", "std_mean"):
        function = getattr(torch, name)
        correction = w.pick(0, 1, 2)
        w.call("torch." + name, lambda: like(finite, *as_list(function(exact(finite), axes, correction=correction, keepdim=keep))),
               [finite], {**params, "unbiased": w.pick(bool(correction), correction) if correction < 2 else 2}, **close)
        w.call("aten::" + name, lambda: like(finite, *as_list(function(exact(finite), axes, correction=correction, keepdim=keep))),
               [finite, axes, correction, keep], **close)
        w.call("aten::" + name, lambda: like(finite, *as_list(function(exact(finite), unbiased=True))), [finite, True], **close)
    p = w.pick(2, 1, 0, 3.5, 0.5, -1, "inf", "-inf", "fro")
    number = 2 if p == "fro" else float(p)
    w.call("torch.norm", lambda: like(real, torch.linalg.vector_norm(exact(real), number, axes, keep)), [real],
           {"p": p, **params}, tolerance=1e-5)
    w.call("aten::norm", lambda: like(real, torch.linalg.vector_norm(exact(real))), [real, 2], **close)
    for name in ("max", "min"):
        function = getattr(torch, name)
        w.call("torch." + name, lambda: function(x, one, keep), [x], {"dim": one, "keepdim": keep})
        w.call("torch." + name, lambda: function(real, one, keep)[0], [real], {"dim": one, "keepdim": keep})
        w.call("aten::" + name, lambda: function(real, one, keep), [real, one, keep])
        w.call("torch." + name, lambda: function(real), [real])
    for name in ("argmax", "argmin"):
        function = getattr(torch, name)
        tied = x.to(torch.int64 if x.dtype == torch.bool else x.dtype)
        w.call("torch." + name, lambda: function(tied, one, keep), [tied], {"dim": one, "keepdim": keep})
        w.call("torch." + name, lambda: function(real, None, keep), [real], {"dim": None, "keepdim": keep})
    w.call("aten::aminmax", lambda: torch.aminmax(real, dim=one, keepdim=keep), [real, one, keep])
    w.call("aten::trace", lambda: like(x, exact(x).trace()), [x], **close)
    if real.dim():
        other = w.typed([w.pick(1, e) for e in real.shape[w.rng.randint(0, real.dim() - 1):]], real.dtype)
        p = w.pick(2.0, 1.0, 3.0)
        w.call("F.pairwise_distance", lambda: like(real, F.pairwise_distance(exact(real), exact(other), p, 1e-6, keep)),
               [real, other], {"p": p, "eps": 1e-6, "keepdim": keep}, names=["x1", "x2"], tolerance=1e-5)


draw("reduction", 1, (reduction, 6))


def wrong_norms(w):
    empty, square = torch.zeros(2, 0), w.tensor(2, 2)
    for p in (float("inf"), float("-inf"), -1):
        w.refuse("aten::linalg_vector_norm", [empty, p, [1], False, None], {}, "input is (2,0), expected elements to reduce")
    w.refuse("aten::renorm", [square, 0.0, 0, 1.0], {}, "expected p above 0 and maxnorm 0 or more")
    w.refuse("aten::renorm", [square, 2.0, 0, -1.0], {}, "expected p above 0 and maxnorm 0 or more")
    w.call("aten::norm", lambda: torch.linalg.vector_norm(square, 2, 1), [square, None, [1], False], tolerance=2e-6)


draw("wrong_norms", 1, (wrong_norms, 1))
