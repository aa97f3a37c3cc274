# SPDX-License-Identifier: MIT
"""Sorting, medians and running sums of arrays of drawn shapes and types."""
import torch

from ..calls import draw, exact, like


def distinct(w, shape, dtype=torch.float32):
    """Returns an array of distinct elements, so that positions are unique."""
    count = 1
    for extent in shape:
        count *= extent
    return (torch.tensor(w.rng.sample(range(-2 * count, 2 * count + 1), count)) / 4).to(dtype).reshape(shape)


def order(w):
    x = distinct(w, w.any_shape())
    rank = x.dim()
    axis = w.axis(rank)
    extent = x.shape[axis] if rank else 1
    keep = w.pick(True, False)
    down = w.pick(True, False)
    any_type = w.typed(x.shape)
    w.call("aten::sort", lambda: torch.sort(x, axis, down), [x, axis, down])
    w.call("aten::sort", lambda: torch.sort(any_type, dim=axis, descending=down, stable=True), [any_type, True, axis, down])
    w.call("aten::argsort", lambda: torch.argsort(any_type, dim=axis, descending=down, stable=True), [any_type, True, axis, down])
    w.call("aten::msort", lambda: torch.msort(x), [x])
    k = w.rng.randint(0 if rank else 1, extent)
    w.call("torch.topk", lambda: torch.topk(x, k, axis, down), [x], {"k": k, "dim": axis, "largest": down, "sorted": True})
    if k:
        w.call("aten::kthvalue", lambda: torch.kthvalue(x, k, axis, keep), [x, k, axis, keep])
    w.call("aten::median", lambda: torch.median(x), [x]) if x.numel() else None
    w.call("aten::median", lambda: torch.median(x, axis, keep), [x, axis, keep])
    holes = x.clone()
    if holes.numel():
        holes.view(-1)[w.rng.randrange(holes.numel())] = float("nan")
        w.call("aten::nanmedian", lambda: torch.nanmedian(holes, axis, keep), [holes, axis, keep])
        w.call("aten::median", lambda: torch.median(holes), [holes])
        w.call("aten::sort", lambda: torch.sort(holes, axis, down), [holes, axis, down])
        w.call("aten::mode", lambda: torch.mode(any_type, axis, keep)[0], [any_type, axis, keep])
    close = {"tolerance": 2e-6}
    real = w.typed(x.shape, w.pick(torch.float32, torch.float64))
    w.call("torch.cumsum", lambda: like(any_type, torch.cumsum(exact(any_type), axis)), [any_type], {"dim": axis}, **close)
    w.call("aten::cumsum", lambda: torch.cumsum(any_type, axis, dtype=torch.float64), [any_type, axis, 7], **close)
    w.call("torch.cumprod", lambda: like(any_type, torch.cumprod(exact(any_type), axis)), [any_type], {"dim": axis}, **close)
    w.call("aten::logcumsumexp", lambda: like(real, torch.logcumsumexp(exact(real), axis)), [real, axis], **close)
    w.call("aten::cummax", lambda: torch.cummax(any_type, axis), [any_type, axis])
    w.call("aten::cummin", lambda: torch.cummin(any_type, axis), [any_type, axis])


draw("order", 1, (order, 6))


def wrong_searches(w):
    row, rows = w.tensor(3), w.tensor(2, 3)
    w.refuse("aten::searchsorted", [row, rows, False, True, "left"], {}, "side is 'left', expected right, as right is true")
    w.refuse("aten::searchsorted", [row, rows, False, False, "up"], {}, "side is 'up', expected left or right")
    w.refuse("aten::bucketize", [rows, rows, False, False], {}, "boundaries is (2,3), expected rank 1")


draw("wrong_searches", 1, (wrong_searches, 1))
