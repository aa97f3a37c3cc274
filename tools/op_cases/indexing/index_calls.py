# SPDX-License-Identifier: MIT
"""Elements chosen by drawn indices and masks."""
import torch

from ..calls import draw


def indexed(w):
    x = w.typed(w.any_shape(1, 4))
    rank = x.dim()
    axis = w.axis(rank)
    extent = x.shape[axis]
    same = lambda shape: w.typed(shape, x.dtype)
    numbers = lambda shape, top=extent, low=0: torch.randint(low, max(top, 1), shape)
    smaller = [w.rng.randint(0 if w.rng.random() < 0.1 else min(e, 1), e) for e in x.shape]
    smaller[axis] = w.rng.randint(1, 5)
    index = numbers(smaller)
    number = w.pick(1, 2.5, -3) if x.is_floating_point() else 1
    if extent or 0 in smaller:
        w.call("torch.gather", lambda: torch.gather(x, axis, index), [x, index], {"dim": axis}, names=["input", "index"])
        w.call("aten::gather", lambda: torch.gather(x, axis, index), [x, axis, index, False])
        src = same([e + w.rng.randint(0, 1) for e in smaller])
        w.call("torch.scatter_add", lambda: torch.scatter_add(x, axis, index, src), [x, index, src], {"dim": axis},
               names=["input", "index", "src"], tolerance=1e-6)
        w.call("aten::scatter", lambda: torch.scatter(x, axis, index, number), [x, axis, index, number])
        unique = torch.stack([torch.randperm(extent) for _ in range(max(1, x.numel() // extent))]) if extent else index
        if extent and x.numel():
            unique = unique.reshape([e for i, e in enumerate(x.shape) if i != axis % rank] + [extent]).movedim(-1, axis)
            values = same(x.shape)
            w.call("aten::scatter", lambda: torch.scatter(x, axis, unique, values), [x, axis, unique, values])
        for reduce in ("sum", "prod", "mean", "amax", "amin"):
            include = w.pick(True, False)
            w.call("aten::scatter_reduce", lambda: torch.scatter_reduce(x, axis, index, src, reduce, include_self=include),
                   [x, axis, index, src, reduce, include], tolerance=1e-6)
        w.call("aten::take_along_dim", lambda: torch.take_along_dim(x, index, axis), [x, index, axis])
        wide_index = numbers([smaller[i] if i == axis % rank else w.pick(1, e) for i, e in enumerate(x.shape)], low=-extent)
        w.call("aten::take_along_dim", lambda: torch.take_along_dim(x, wide_index, axis), [x, wide_index, axis])
    if extent:
        vector = numbers([w.rng.randint(0, 6)])
        w.call("torch.index_select", lambda: torch.index_select(x, axis, vector), [x, vector], {"dim": axis})
        w.call("aten::index_select", lambda: torch.index_select(x, axis, vector.int()), [x, axis, vector.int()])
        lines = list(x.shape)
        lines[axis] = len(vector)
        source = same(lines)
        alpha = w.pick(1, 2)
        w.call("aten::index_add", lambda: torch.index_add(x, axis, vector, source, alpha=alpha), [x, axis, vector, source, alpha],
               tolerance=1e-6)
        w.call("aten::index_fill", lambda: torch.index_fill(x, axis, vector, number), [x, axis, vector, number])
        for reduce in ("prod", "mean", "amax", "amin"):
            include = w.pick(True, False)
            w.call("aten::index_reduce", lambda: torch.index_reduce(x, axis, vector, source, reduce, include_self=include),
                   [x, axis, vector, source, reduce, include], tolerance=1e-6)
        some = torch.randperm(extent)[: len(vector)]
        lines[axis] = len(some)
        source = same(lines)
        w.call("aten::index_copy", lambda: torch.index_copy(x, axis, some, source), [x, axis, some, source])
    if x.numel():
        flat = numbers([2, 3], x.numel(), -x.numel())
        w.call("aten::take", lambda: torch.take(x, flat), [x, flat])
    advanced(w, x)
    condition = w.typed([w.pick(1, e) for e in x.shape[w.rng.randint(0, rank):]], torch.bool)
    other = w.typed([w.pick(1, e) for e in x.shape[w.rng.randint(0, rank):]])
    w.call("torch.where", lambda: torch.where(condition, x, other), [condition, x, other], names=["condition", "input", "other"])
    w.call("torch.where", lambda: torch.where(condition, x, 0.5), [condition, x], {"other": 0.5}, names=["condition", "input"])
    w.call("aten::where", lambda: torch.where(condition, -1, x), [condition, -1, x])
    value = w.pick(2, 0.5) if x.is_floating_point() else 1
    w.call("Tensor.masked_fill", lambda: x.masked_fill(condition, value), [x, condition], {"value": value}, names=["self", "mask"])
    w.call("Tensor.fill", lambda: torch.fill(x, value), [x], {"value": value})
    w.call("torch.masked_select", lambda: torch.masked_select(x, condition), [x, condition])
    w.call("aten::nonzero", lambda: torch.nonzero(x), [x])


def advanced(w, x):
    """Adds x[i, j, ...] with arrays, masks and None for whole axes, as a list and, for constants, as text."""
    common = [w.rng.randint(1, 3) for _ in range(w.rng.randint(1, 2))]
    key, axis = [], 0
    while axis < x.dim() and (not key or w.rng.random() < 0.7):
        extent = x.shape[axis]
        choice = w.rng.random()
        if choice < 0.3 or extent == 0:
            key.append(None)
        elif choice < 0.45:
            key.append(w.typed([extent], torch.bool))
            common = [] if all(k is None or k.dtype != torch.bool for k in key[:-1]) and len(key) == 1 else common
        else:
            key.append(torch.randint(-extent, extent, [w.pick(1, e) for e in common] if w.rng.random() < 0.5 else common))
        axis += 1
    if all(k is None for k in key):
        return
    python = tuple(slice(None) if k is None else k for k in key)
    w.call("aten::index", lambda: x[python], [x, key])
    w.call("Tensor.index", lambda: x[python], [x, key], names=["input", "expr"])
    text = str([k if k is None else k.tolist() for k in key]).replace(" ", "")
    w.call("Tensor.index", lambda: x[python], [x], {"expr": text}, names=["input"])

    def put(values, accumulate):
        return x.index_put([None if k is None else k for k in key], values, accumulate) if None not in key else assigned(values, accumulate)

    def assigned(values, accumulate):
        out = x.clone()
        if accumulate:
            raise ValueError
        out[python] = values
        return out

    try:
        shape = list(x[python].shape)
    except IndexError:
        return
    values = w.typed([w.pick(1, e) for e in shape[w.rng.randint(0, len(shape)):]], x.dtype)
    distinct_places = all(k is None or k.dtype == torch.bool or len(set(k.flatten().tolist())) == k.numel() for k in key)
    number = w.typed([], x.dtype)
    w.call("aten::index_put", lambda: put(number, False), [x, key, number, False])
    if distinct_places:
        w.call("Tensor.index_put", lambda: put(values, False), [x, key, values], {"accumulate": False},
               names=["input", "indices", "values"])
    w.call("aten::index_put", lambda: put(values, True), [x, key, values, True], tolerance=1e-6)


def bytes_and_broadcasts(w):
    """Adds masks of bytes, which PyTorch takes for bools, and masks that are larger than an empty input."""
    x = w.tensor(3, 4)
    for shape, before in (([3], []), ([4], [None]), ([3, 4], [])):
        mask = torch.randint(0, 4, shape).to(torch.uint8)
        key = [*before, mask]
        w.call("aten::index", lambda: torch.ops.aten.index(x, key), [x, key])
        w.call("Tensor.index", lambda: torch.ops.aten.index(x, key), [x, key], names=["input", "expr"])
        for accumulate in (False, True):
            values = w.tensor(1).reshape(())
            w.call("aten::index_put", lambda: torch.ops.aten.index_put(x, key, values, accumulate),
                   [x, key, values, accumulate], tolerance=1e-6)
    empty, mask = torch.zeros(0, 3), torch.zeros(2, 0, 3, dtype=torch.bool)
    w.call("aten::masked_scatter", lambda: empty.masked_scatter(mask, torch.zeros(0)), [empty, mask, torch.zeros(0)])


draw("indexed", 1, (indexed, 6))
draw("indexed_by_bytes", 1, (bytes_and_broadcasts, 1))
