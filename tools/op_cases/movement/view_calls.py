# SPDX-License-Identifier: MIT
"""Operations whose results are views, of arrays of drawn shapes and types."""
import torch

from ..calls import draw


def factor(w, count):
    """Returns extents whose product is `count`."""
    shape = []
    while count > 1:
        divisors = [d for d in range(2, count + 1) if count % d == 0]
        shape.append(w.pick(*divisors))
        count //= shape[-1]
    for _ in range(w.rng.randint(0, 2)):
        shape.insert(w.rng.randint(0, len(shape)), 1)
    return shape


def reshape(w):
    x = w.typed(w.any_shape())
    shape = list(factor(w, x.numel())) if x.numel() else list(x.shape)
    if shape and x.numel() and w.rng.random() < 0.5:
        shape[w.rng.randrange(len(shape))] = -1
    w.call(w.pick("Tensor.reshape", "Tensor.view"), lambda: x.reshape(shape), [x], {"shape": shape})
    w.call("aten::reshape", lambda: x.reshape(shape), [x, shape])
    other = torch.zeros(factor(w, x.numel()) if x.numel() else x.shape)
    w.call("Tensor.reshape_as", lambda: x.reshape_as(other), [x, other], names=["self", "other"])
    start, end = sorted((w.axis(x.dim(), 0), w.axis(x.dim(), 0)))
    end = end if w.rng.random() < 0.5 else end - max(x.dim(), 1)
    w.call("torch.flatten", lambda: torch.flatten(x, start, end), [x], {"start_dim": start, "end_dim": end})
    w.call("aten::flatten", lambda: torch.flatten(x, start, end), [x, start, end])
    w.call("aten::ravel", lambda: x.ravel(), [x])
    if x.dim():
        axis = w.axis(x.dim())
        sizes = factor(w, x.shape[axis]) or [1]
        sizes[0] = w.pick(-1, sizes[0])
        w.call("Tensor.unflatten", lambda: x.unflatten(axis, sizes), [x], {"dim": axis, "sizes": sizes})
    for rank in (1, 2, 3):
        w.call(f"aten::atleast_{rank}d", lambda: getattr(torch, f"atleast_{rank}d")(x), [x])


def permute(w):
    x = w.typed(w.any_shape())
    rank = x.dim()
    order = w.rng.sample(range(rank), rank)
    order = [a - rank if w.rng.random() < 0.3 else a for a in order]
    w.call("Tensor.permute", lambda: x.permute(order), [x], {"dims": order})
    w.call("aten::permute", lambda: x.permute(order), [x, order])
    a, b = w.axis(rank), w.axis(rank)
    w.call("torch.transpose", lambda: x.transpose(a, b), [x], {"dim0": a, "dim1": b})
    w.call("aten::swapaxes", lambda: x.transpose(a, b), [x, a, b])
    w.call("torch.t", lambda: x.t(), [x])
    w.call("aten::mT", lambda: x.mT, [x])
    w.call("aten::mH", lambda: x.mH, [x]) if x.dim() >= 2 else None
    w.call("aten::numpy_T", lambda: x.permute(*reversed(range(rank))), [x])
    source = w.axes(rank, 1)
    target = w.axes(rank, 1)[: len(source)]
    w.call("aten::movedim", lambda: x.movedim(source, target), [x, source, target])
    w.call("aten::movedim", lambda: x.movedim(a, b), [x, a, b])
    offset = w.rng.randint(-4, 4)
    w.call("aten::diagonal", lambda: x.diagonal(offset, a, b), [x, offset, a, b])
    size, step = w.rng.randint(0, 4), w.rng.randint(1, 3)
    w.call("aten::unfold", lambda: x.unfold(a, size, step), [x, a, size, step])
    w.call("Tensor.unfold", lambda: x.unfold(a, size, step), [x], {"dimension": a, "size": size, "step": step})


def limit(w, extent):
    return w.pick(None, w.rng.randint(-extent - 2, extent + 2), w.rng.randint(-extent - 2, extent + 2))


def slices(w):
    x = w.typed(w.any_shape(1))
    axis = w.axis(x.dim())
    start, end, step = limit(w, x.shape[axis]), limit(w, x.shape[axis]), w.rng.randint(1, 3)
    key = [slice(None)] * x.dim()
    key[axis] = slice(start, end, step)
    written = 2147483647 if end is None and w.rng.random() < 0.5 else end
    params = {"dim": axis, "start": start, "end": written, "step": step}
    cut = x[tuple(key)]
    w.call("Tensor.slice", lambda: cut, [x], params)
    w.call("aten::slice", lambda: cut, [x, axis, start, end, step])
    src = w.typed(cut.shape, x.dtype) if w.rng.random() < 0.7 else w.typed([], x.dtype)

    def replaced(window):
        out = x.clone()
        out[window] = src
        return out

    w.call("Tensor.slice_copy", lambda: replaced(tuple(key)), [x, src], params, names=["self", "src"])
    if src.dim():
        w.call("torch.slice_scatter", lambda: torch.slice_scatter(x, src, axis, start, end, step), [x, src], params)
    backwards = -step
    positions = list(range(x.shape[axis]))[slice(start, end, backwards)]
    params = {"dim": axis, "start": start, "end": end, "step": backwards}
    w.call("Tensor.slice", lambda: x.index_select(axis, torch.tensor(positions, dtype=torch.long)), [x], params)
    # Several axes, some of them fixed at one index.
    dims = sorted(w.rng.sample(range(x.dim()), w.rng.randint(1, x.dim())))
    lists = {"dims": dims, "starts": [], "ends": [], "steps": [], "selects": []}
    key = [slice(None)] * x.dim()
    for dim in dims:
        extent = x.shape[dim]
        if extent and w.rng.random() < 0.4:
            key[dim] = w.rng.randrange(-extent, extent)
            for name, value in (("starts", 0), ("ends", 0), ("steps", 0), ("selects", key[dim])):
                lists[name].append(value)
        else:
            start, end = limit(w, extent) or 0, limit(w, extent)
            key[dim] = slice(start, end, w.rng.randint(1, 2))
            for name, value in (("starts", start), ("ends", 2147483647 if end is None else end), ("steps", key[dim].step),
                                ("selects", 2147483647)):
                lists[name].append(value)
    w.call("Tensor.slice", lambda: x[tuple(key)], [x], lists)
    src = w.typed(x[tuple(key)].shape, x.dtype)
    w.call("Tensor.slice_copy", lambda: replaced(tuple(key)), [x, src], lists, names=["self", "src"])
    extent = x.shape[axis]
    if extent:
        index = w.rng.randrange(-extent, extent)
        w.call("Tensor.select", lambda: x.select(axis, index), [x], {"dim": axis, "index": index})
        w.call("aten::select", lambda: x.select(axis, index), [x, axis, index])
        src = w.typed(x.select(axis, 0).shape, x.dtype)
        w.call("aten::select_scatter", lambda: torch.select_scatter(x, src, axis, index), [x, src, axis, index])
        start = w.rng.randrange(-extent, extent)
        length = w.rng.randint(0, extent - start % extent)
        w.call("torch.narrow", lambda: x.narrow(axis, start, length), [x], {"dim": axis, "start": start, "length": length})
    if x.dim() >= 2:
        offset = w.rng.randint(-2, 2)
        a, b = w.rng.sample(range(x.dim()), 2)
        src = w.typed(x.diagonal(offset, a, b).shape, x.dtype)
        w.call("aten::diagonal_scatter", lambda: torch.diagonal_scatter(x, src, offset, a, b), [x, src, offset, a, b])


draw("reshape", 1, (reshape, 6))
draw("permute", 1, (permute, 6))
draw("slices", 1, (slices, 6))
