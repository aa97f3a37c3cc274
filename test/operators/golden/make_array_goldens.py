#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the golden files of operators that move, join, reduce, index and create arrays, like make_goldens.py.

    python3 make_array_goldens.py [--out FOLDER] [--count N] [--seed S]
"""
import argparse
import json
import pathlib

import torch
import torch.nn.functional as F

from make_goldens import Writer, array

SMALL_TYPES = {torch.int32: "i32", torch.int16: "i16", torch.int8: "i8", torch.uint8: "u8", torch.bool: "bool"}


def encode(x):
    """Encodes like array(), for all element types and for lists."""
    if isinstance(x, (tuple, list)):
        return [encode(item) for item in x]
    if isinstance(x, torch.Tensor) and x.dtype in SMALL_TYPES:
        return {**array(x.long()), "dtype": SMALL_TYPES[x.dtype]}
    return array(x)


class ArrayWriter(Writer):
    def __init__(self, seed):
        super().__init__(seed)
        torch.manual_seed(seed)

    def any_shape(self, least_rank=0, most_rank=5, empty=0.06):
        rank = self.rng.randint(least_rank, most_rank)
        shape = [self.rng.choice([1, 1, 2, 3, 4, 5] if rank > 2 else [1, 2, 3, 7, 9]) for _ in range(rank)]
        if shape and self.rng.random() < empty:
            shape[self.rng.randrange(rank)] = 0
        return shape

    def typed(self, shape, dtype=None):
        dtype = dtype or self.pick(torch.float32, torch.float32, torch.float64, torch.int64, torch.int32, torch.uint8, torch.bool)
        if dtype.is_floating_point:
            return self.tensor(*shape).to(dtype)
        low = 0 if dtype in (torch.uint8, torch.bool) else -9
        return torch.randint(low, 2 if dtype == torch.bool else 10, shape).to(dtype)

    def axis(self, rank, negative=0.5):
        axis = self.rng.randrange(max(rank, 1))
        return axis - max(rank, 1) if self.rng.random() < negative else axis

    def axes(self, rank, least=0):
        count = self.rng.randint(min(least, rank), rank)
        return [a - rank if self.rng.random() < 0.4 else a for a in self.rng.sample(range(rank), count)]

    def call(self, op, function, inputs, params=None, names=None, tolerance=0.0):
        """Adds the case with PyTorch's result. A case without a result is dropped."""
        try:
            outputs = function()
        except (RuntimeError, IndexError, ValueError, TypeError):
            return
        outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
        self.cases.append({"name": f"case{len(self.cases)}", "type": op, "params": params or {}, "inputs": encode(inputs),
                           "input_names": names or [], "attributes": {}, "output_count": len(outputs),
                           "outputs": encode(outputs), "tolerance": tolerance})


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
    other = torch.empty(factor(w, x.numel()) if x.numel() else x.shape)
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


def bound(w, extent):
    return w.pick(None, w.rng.randint(-extent - 2, extent + 2), w.rng.randint(-extent - 2, extent + 2))


def slices(w):
    x = w.typed(w.any_shape(1))
    axis = w.axis(x.dim())
    start, end, step = bound(w, x.shape[axis]), bound(w, x.shape[axis]), w.rng.randint(1, 3)
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
            start, end = bound(w, extent) or 0, bound(w, extent)
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


def expand(w):
    x = w.typed(w.any_shape())
    rank = x.dim()
    w.call("torch.squeeze", lambda: x.squeeze(), [x])
    axes = w.axes(rank, 1)
    w.call("torch.squeeze", lambda: x.squeeze(tuple(axes)), [x], {"dim": axes})
    one = w.axis(rank)
    w.call("aten::squeeze", lambda: x.squeeze(one), [x, one])
    place = w.rng.randint(-rank - 1, rank)
    w.call("torch.unsqueeze", lambda: x.unsqueeze(place), [x], {"dim": place})
    w.call("aten::unsqueeze", lambda: x.unsqueeze(place), [x, place])
    sizes = [w.pick(e, -1) if e != 1 else w.pick(-1, 1, 3) for e in x.shape]
    sizes = [w.rng.randint(0, 3) for _ in range(w.rng.randint(0, 2))] + sizes
    w.call("Tensor.expand", lambda: x.expand(sizes), [x], {"sizes": sizes})
    w.call("aten::expand", lambda: x.expand(sizes), [x, sizes, False])
    other = torch.empty(x.expand(sizes).shape)
    w.call("Tensor.expand_as", lambda: x.expand_as(other), [x, other], names=["self", "other"])
    other = w.tensor(*[w.pick(1, e) for e in x.shape[w.rng.randint(0, rank):]])
    w.call("aten::broadcast_tensors", lambda: torch.broadcast_tensors(x, other), [[x, other]])
    vectors = [w.typed(w.any_shape(0, 1), torch.float32) for _ in range(w.rng.randint(1, 4))]
    indexing = w.pick("ij", "xy")
    w.call("aten::meshgrid", lambda: torch.meshgrid(*vectors, indexing=indexing), [vectors, indexing])
    times = [w.rng.randint(0, 3) for _ in range(w.rng.randint(0, 2))] + [w.rng.randint(0, 3) for _ in x.shape]
    w.call("Tensor.repeat", lambda: x.repeat(times), [x], {"sizes": times})
    w.call("torch.tile", lambda: x.tile(times[1:]), [x], {"dims": times[1:]})
    axis = w.pick(None, w.axis(rank))
    count = w.rng.randint(0, 3)
    w.call("torch.repeat_interleave", lambda: x.repeat_interleave(count, axis), [x], {"repeats": count, "dim": axis})
    extent = x.numel() if axis is None else x.shape[axis] if rank else 1
    counts = torch.randint(0, 4, [extent])
    w.call("aten::repeat_interleave", lambda: x.repeat_interleave(counts, axis), [x, counts, axis, None])
    dims = w.axes(rank)
    w.call("torch.flip", lambda: x.flip(dims), [x], {"dims": dims})
    w.call("aten::flipud", lambda: x.flipud(), [x])
    w.call("aten::fliplr", lambda: x.fliplr(), [x])
    if rank >= 2:
        k, plane = w.rng.randint(-5, 5), w.rng.sample(range(rank), 2)
        w.call("aten::rot90", lambda: x.rot90(k, plane), [x, k, plane])
    shifts = [w.rng.randint(-9, 9) for _ in dims]
    w.call("torch.roll", lambda: x.roll(shifts, dims), [x], {"shifts": shifts, "dims": dims})
    w.call("torch.roll", lambda: x.roll(shifts[0]), [x], {"shifts": shifts[0], "dims": None}) if shifts else None


def join(w):
    shape = w.any_shape(1)
    axis = w.axis(len(shape))
    pieces = []
    for _ in range(w.rng.randint(1, 4)):
        extents = list(shape)
        extents[axis] = w.rng.randint(0, 4)
        pieces.append(w.typed(extents))
    if w.rng.random() < 0.2:
        pieces.insert(w.rng.randint(0, len(pieces)), torch.empty(0))
    w.call("torch.cat", lambda: torch.cat(pieces, axis), pieces, {"dim": axis})
    w.call("aten::cat", lambda: torch.cat(pieces, axis), [pieces, axis])
    equal = [w.typed(shape) for _ in range(w.rng.randint(1, 3))]
    place = w.rng.randint(-len(shape) - 1, len(shape))
    w.call("torch.stack", lambda: torch.stack(equal, place), equal, {"dim": place})
    w.call("aten::stack", lambda: torch.stack(equal, place), [equal, place])
    small = [w.typed(e) for e in [w.pick([], [3], [2, 3], [2, 3, 1])] * 2]
    for name in ("hstack", "vstack", "dstack", "column_stack"):
        w.call("aten::" + name, lambda: getattr(torch, name)(small), [small])
    x = w.typed(shape)
    extent = shape[axis]
    size = w.rng.randint(1, 4)
    w.call("torch.split", lambda: x.split(size, axis), [x], {"split_size_or_sections": size, "dim": axis}, names=["tensor"])
    first = w.rng.randint(0, extent)
    w.call("torch.split", lambda: x.split([first, extent - first], axis), [x],
           {"split_size_or_sections": [first, extent - first], "dim": axis}, names=["tensor"])
    w.call("torch.chunk", lambda: x.chunk(size, axis), [x], {"chunks": size, "dim": axis})
    w.call("aten::chunk", lambda: x.chunk(size, axis), [x, size, axis])
    w.call("torch.tensor_split", lambda: x.tensor_split(size, axis), [x], {"sections": size, "dim": axis})
    cuts = [w.rng.randint(-extent - 1, extent + 1) for _ in range(w.rng.randint(1, 3))]
    w.call("torch.tensor_split", lambda: x.tensor_split(cuts, axis), [x], {"indices": cuts, "dim": axis})
    for name, dim in (("hsplit", 1), ("vsplit", 0)):
        if len(shape) > dim and shape[dim] and shape[dim] % 2 == 0:
            w.call("aten::" + name, lambda: getattr(torch, name)(x, 2), [x, 2])
    w.call("torch.unbind", lambda: x.unbind(axis), [x], {"dim": axis}) if extent else None
    dtype = w.pick(torch.float32, torch.int64, torch.int32, torch.bool)
    w.call("Tensor.to", lambda: x.to(dtype), [x], {"dtype": str(dtype), "copy": False})
    # PyTorch does not define what a negative floating number becomes in uint8.
    other = equal[0] if equal[0].dtype != torch.uint8 else equal[0].int()
    w.call("aten::to", lambda: x.to(other.dtype), [x, other, False, False, None])
    w.call("Tensor.type_as", lambda: x.type_as(other), [x, other], names=["self", "other"])
    w.call("aten::copy", lambda: other.clone().copy_(x), [other, x, False])


def exact(x):
    """Converts floating inputs to float64, which PyTorch sums more precisely than float32."""
    return x.double() if x.is_floating_point() else x


def like(x, *results):
    """Converts floating results to x's type."""
    return [r.to(x.dtype) if r.is_floating_point() and x.is_floating_point() else r for r in results]


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


def diagonals(w):
    x = w.typed(w.any_shape(1))
    offset = w.rng.randint(-3, 3)
    w.call("torch.diag", lambda: torch.diag(x, offset), [x], {"diagonal": offset})
    vector = w.typed([w.rng.randint(0, 5)])
    w.call("torch.diag", lambda: torch.diag(vector, offset), [vector], {"diagonal": offset})
    a, b = w.axis(x.dim() + 1), w.axis(x.dim() + 1)
    w.call("aten::diag_embed", lambda: torch.diag_embed(x, offset, a, b), [x, offset, a, b])
    w.call("aten::diagflat", lambda: torch.diagflat(x, offset), [x, offset])
    w.call("aten::triu", lambda: x.triu(offset), [x, offset])
    w.call("aten::tril", lambda: x.tril(offset), [x, offset])
    size = w.shape(2, 0, 3)
    stride = [w.rng.randint(0, 3), w.rng.randint(0, 3)]
    start = w.pick(0, 0, 1)
    w.call("torch.as_strided", lambda: torch.as_strided(x, size, stride, start), [x],
           {"size": size, "stride": stride, "storage_offset": start})
    real = w.typed(x.shape, w.pick(torch.float32, torch.float64))
    imag = w.typed([w.pick(1, e) for e in x.shape], real.dtype)
    w.call("torch.real", lambda: torch.real(real), [real])


def creation(w):
    size = w.any_shape()
    dtype = w.pick(None, torch.float64, torch.int64, torch.int32, torch.bool)
    name = None if dtype is None else str(dtype)
    code = {None: None, torch.float64: 7, torch.int64: 4, torch.int32: 3, torch.bool: 11}[dtype]
    for op in ("zeros", "ones"):
        w.call("torch." + op, lambda: getattr(torch, op)(size, dtype=dtype), [], {"size": size, "dtype": name})
        w.call("aten::" + op, lambda: getattr(torch, op)(size, dtype=dtype), [size, code, None, None, None])
        x = w.typed(size)
        w.call(f"torch.{op}_like", lambda: getattr(torch, op + "_like")(x, dtype=dtype), [x], {"dtype": name})
        w.call(f"Tensor.new_{op}", lambda: getattr(x, "new_" + op)([2, 3], dtype=dtype), [x], {"size": [2, 3], "dtype": name})
    number = w.pick(2, -3, 0.5, True)
    w.call("torch.full", lambda: torch.full(size, number, dtype=dtype), [], {"size": size, "fill_value": number, "dtype": name})
    w.call("aten::full", lambda: torch.full(size, number), [size, number, None, None, None, None])
    w.call("torch.full_like", lambda: torch.full_like(x, number), [x], {"fill_value": number, "dtype": None})
    start, step = w.pick(0, 3, -2, 0.5), w.pick(1, 2, 3, 0.25, -1, -0.5)
    end = start + step * w.rng.randint(0, 7) + w.pick(0, step)
    params = {"start": start, "end": end, "step": step, "dtype": name}
    # PyTorch counts the elements by truncated numbers for int64 only.
    if dtype in (None, torch.float64) or all(isinstance(v, int) for v in (start, end, step)):
        w.call("torch.arange", lambda: torch.arange(start, end, step, dtype=dtype), [], params, tolerance=1e-6)
    w.call("aten::arange", lambda: torch.arange(5), [5, None, None, None, None])
    w.call("aten::arange", lambda: torch.arange(2, 6), [2, 6, None, None, None, None])
    w.call("aten::arange", lambda: torch.arange(start, end, step), [start, end, step, None, None, None, None], tolerance=1e-6)
    steps = w.rng.randint(0, 6)
    w.call("aten::linspace", lambda: torch.linspace(start, end, steps), [start, end, steps, None, None, None, None], tolerance=1e-6)


def array_errors(w):
    """Adds a wrong call for each check of the operators, with a part of its message."""
    def bad(op, inputs, params, error, names=None):
        w.cases.append({"name": f"case{len(w.cases)}", "type": op, "params": params, "inputs": encode(inputs),
                        "input_names": names or [], "attributes": {}, "output_count": 1, "error": error})

    x, row, number, one = w.tensor(2, 3), w.tensor(3), torch.tensor(1.5), torch.tensor([1])
    bad("Tensor.reshape", [x], {"shape": [4]}, "(2,3) cannot be reshaped to (4)")
    bad("Tensor.reshape", [x], {"shape": [4, -1]}, "not a multiple of 4")
    bad("Tensor.reshape", [x], {"shape": "abc"}, "argument 'shape'")
    bad("Tensor.reshape_as", [x, row], {}, "expected as many elements as in (3)")
    bad("torch.flatten", [x], {"start_dim": 1, "end_dim": 0}, "cannot flatten axes 1 to 0")
    bad("torch.flatten", [x], {"start_dim": 2}, "argument 'start_dim' is axis 2")
    bad("Tensor.unflatten", [x], {"dim": 1, "sizes": [2, 2]}, "cannot be reshaped")
    bad("Tensor.unflatten", [number], {"dim": 0, "sizes": [1]}, "expected rank 1 or more")
    bad("Tensor.permute", [x], {"dims": [0]}, "not a permutation of 2 axes")
    bad("Tensor.permute", [x], {"dims": [0, 0]}, "names an axis twice")
    bad("Tensor.permute", [x], {"dims": None}, "no axes are given")
    bad("torch.transpose", [x], {"dim0": 0, "dim1": 2}, "argument 'dim1' is axis 2")
    bad("torch.t", [w.tensor(1, 2, 3)], {}, "expected rank 2 or less")
    bad("aten::mT", [row], {}, "expected rank 2 or more")
    bad("torch.movedim", [x], {"source": [0, 1], "destination": [0]}, "expected equal numbers")
    bad("torch.diagonal", [row], {}, "expected rank 2 or more")
    bad("torch.diagonal", [x], {"dim1": 1, "dim2": 1}, "two different axes")
    bad("Tensor.unfold", [x], {"dimension": 1, "size": 4, "step": 1}, "don't fit axis 1")
    bad("Tensor.slice", [x], {"dim": 1, "step": 0}, "slice step is 0")
    bad("Tensor.slice", [number], {"dim": 0}, "input is ()")
    bad("Tensor.slice", [x], {"dims": [0, 1], "starts": [0]}, "expected one for each of the 2 axes")
    bad("Tensor.slice", [x], {"dims": [1], "starts": [0], "selects": [3]}, "index 3 is out of range")
    bad("Tensor.select", [x], {"dim": 1, "index": 3}, "index 3 is out of range for axis 1")
    bad("Tensor.select", [number], {"dim": 0, "index": 0}, "input is ()")
    bad("torch.narrow", [x], {"dim": 1, "start": 2, "length": 2}, "don't fit axis 1")
    bad("Tensor.slice_copy", [x, w.tensor(5)], {"dim": 1}, "(5) and (2,3) cannot be broadcast", ["self", "src"])
    bad("aten::select_scatter", [number, number, 0, 0], {}, "input is ()")
    bad("torch.unsqueeze", [x], {"dim": 3}, "cannot be put at 3")
    bad("torch.squeeze", [x], {"dim": -3}, "argument 'dim' is axis -3")
    bad("Tensor.expand", [x], {"sizes": [2, 2]}, "(2,3) and (2,2) cannot be broadcast")
    bad("Tensor.expand", [x], {"sizes": [-1, 2, 3]}, "-1 for axes that the input has")
    bad("aten::broadcast_tensors", [[x, w.tensor(2)]], {}, "cannot be broadcast")
    bad("aten::meshgrid", [[x], "ij"], {}, "expected vectors")
    bad("aten::meshgrid", [[row], "yx"], {}, "indexing is 'yx'")
    bad("torch.split", [x], {"split_size_or_sections": [1, 1], "dim": 1}, "sum up to 2, expected 3")
    bad("torch.split", [x], {"split_size_or_sections": [4, -1], "dim": 1}, "don't fit the extent 3")
    bad("torch.split", [x], {"split_size_or_sections": 0, "dim": 1}, "split size is 0")
    bad("torch.split", [number], {"split_size_or_sections": 1}, "input is ()")
    bad("torch.chunk", [x], {"chunks": 0}, "chunks is 0")
    bad("torch.tensor_split", [x], {"sections": 0}, "sections is 0")
    bad("aten::hsplit", [number, 1], {}, "expected rank 1 or more")
    bad("torch.cat", [x, row], {"dim": 0}, "cannot be joined along axis 0")
    bad("torch.cat", [x, w.tensor(2, 2)], {"dim": 0}, "cannot be joined along axis 0")
    bad("torch.cat", [x, number], {"dim": 0}, "found an array of rank 0")
    bad("torch.cat", [], {"dim": 0}, "nothing to join")
    bad("torch.stack", [x, row], {"dim": 0}, "expected equal ones")
    bad("Tensor.repeat", [x], {"sizes": [2]}, "found 1 repeats")
    bad("Tensor.repeat", [x], {"sizes": [2, -1]}, "expected no negative ones")
    bad("torch.repeat_interleave", [x], {"repeats": [1, 2], "dim": 1}, "expected 1 or 3")
    bad("torch.repeat_interleave", [x], {"repeats": -1, "dim": 1}, "expected no negative ones")
    bad("aten::flipud", [number], {}, "expected rank 1 or more")
    bad("torch.rot90", [x], {"k": 1, "dims": [0]}, "expected 2")
    bad("torch.roll", [x], {"shifts": [1, 2], "dims": [0]}, "2 shifts for 1 axes")
    bad("aten::__getitem__", [[x, x], 2], {}, "out of range for a list of 2 items")
    bad("aten::len", [x], {}, "expected a list")
    bad("pnnx.SliceIndexes", [x], {"indexes": ["@1"]}, "expected integers or @0 to @0")
    bad("Tensor.to", [x], {"dtype": "torch.nothing"}, "argument 'dtype'")
    bad("Tensor.size", [number], {"dim": 0}, "input is ()")
    bad("aten::item", [x], {}, "expected one element")
    bad("torch.sum", [x], {"dim": [0, -2]}, "names an axis twice")
    bad("torch.sum", [x], {"dtype": "torch.int32"}, "expected a floating type or int64")
    bad("torch.var", [one], {}, "input is int64")
    bad("torch.amax", [w.tensor(2, 0)], {"dim": [1]}, "expected elements to reduce")
    bad("torch.argmax", [w.tensor(0)], {}, "expected elements to reduce")
    bad("aten::trace", [row], {}, "expected rank 2")
    bad("torch.norm", [x], {"p": "nuc"}, "p is 'nuc'")
    bad("F.pairwise_distance", [number, number], {}, "expected rank 1 or more", ["x1", "x2"])
    bad("F.pairwise_distance", [x, w.tensor(2)], {}, "cannot be broadcast", ["x1", "x2"])
    bad("torch.cumsum", [x], {"dim": 2}, "argument 'dim' is axis 2")
    bad("torch.cumsum", [x], {"dim": 1, "dtype": "torch.int32"}, "expected a floating type or int64")
    bad("aten::logcumsumexp", [one, 0], {}, "input is int64")
    bad("torch.topk", [x], {"k": 4}, "k is 4, expected 0 to 3")
    bad("aten::kthvalue", [x, 0, 1, False], {}, "k is 0, expected 1 to 3")
    bad("aten::median", [w.tensor(0)], {}, "expected elements to choose from")
    bad("torch.gather", [x, torch.tensor([[3]])], {"dim": 1}, "index 3 is out of range for axis 1", ["input", "index"])
    bad("torch.gather", [x, torch.tensor([[-1]])], {"dim": 1}, "index -1 is out of range", ["input", "index"])
    bad("torch.gather", [x, torch.tensor([0])], {"dim": 1}, "expected one that fits", ["input", "index"])
    bad("torch.gather", [x, x], {"dim": 1}, "index is float32", ["input", "index"])
    bad("torch.index_select", [x, torch.tensor([[0]])], {"dim": 1}, "expected rank 1")
    bad("torch.take_along_dim", [x, one], {"dim": 1}, "expected the rank of (2,3)")
    bad("aten::scatter", [x, 1, torch.tensor([[3]]), 1.0], {}, "index 3 is out of range")
    bad("aten::scatter", [x, 1, torch.tensor([[0, 1]]), row], {}, "fit into the input (2,3)")
    bad("aten::scatter", [x, 1, x, 1.0], {}, "index is float32")
    bad("aten::scatter_reduce", [x, 1, torch.tensor([[0]]), x, "middle", True], {}, "reduce is 'middle'")
    bad("aten::index_add", [x, 1, torch.tensor([[0]]), x, 1], {}, "expected rank 1")
    bad("Tensor.index", [x], {"expr": "[None,[3]]"}, "index 3 is out of range for axis 1", ["input"])
    bad("Tensor.index", [x], {"expr": "[None,[-4]]"}, "index -4 is out of range for axis 1, expected -3 to 2", ["input"])
    bad("Tensor.index", [x], {"expr": "[[0],[0],[0]]"}, "more indices than axes", ["input"])
    bad("Tensor.index", [x], {"expr": "[[0,1],[0,1,2]]"}, "cannot be broadcast", ["input"])
    bad("Tensor.index", [x], {"expr": "[[0,1"}, "column 6: expected ',' or ']'", ["input"])
    bad("Tensor.index", [x], {"expr": "[[0,one]]"}, "column 5: expected None", ["input"])
    bad("Tensor.index", [x], {"expr": "[[0]]]"}, "column 6: expected the end", ["input"])
    bad("Tensor.index", [x], {"expr": "[[[0],[0,1]]]"}, "does not fit the lists before it", ["input"])
    bad("Tensor.index", [x], {"expr": "[[[0],1]]"}, "found 1 among indices", ["input"])
    bad("Tensor.index", [x], {"expr": "[" * 100 + "]" * 100}, "less brackets", ["input"])
    bad("Tensor.index", [x], {"expr": "[[True,False,True]]"}, "the mask (3) doesn't fit axis 0", ["input"])
    bad("Tensor.index", [x, [x]], {}, "an index is float32", ["input", "expr"])
    bad("Tensor.index_put", [x, [one], w.tensor(2)], {}, "cannot be broadcast", ["input", "indices", "values"])
    bad("torch.masked_select", [x, x], {}, "mask is float32")
    bad("torch.where", [x, x, row.repeat(2)], {}, "cannot be broadcast", ["condition", "input", "other"])
    bad("Tensor.masked_fill", [x, x > 0, row], {}, "value is (3), expected one element")
    bad("Tensor.fill", [x, row], {}, "value is (3), expected one element")
    bad("torch.zeros", [], {"size": [2, -1]}, "expected no negative extents")
    bad("torch.arange", [], {"start": 0, "end": 5, "step": -1}, "leads from start to end")
    bad("torch.arange", [], {"start": 0, "end": 5, "step": 0}, "a step other than 0")
    bad("torch.arange", [], {"end": 1e30}, "the sequence would have")
    bad("torch.diag", [w.tensor(1, 1, 1)], {}, "expected rank 1 or 2")
    bad("torch.diag", [row], {"diagonal": 2**62}, "expected integers of 32 bits")
    bad("torch.diag_embed", [number], {}, "input is ()")
    bad("torch.diag_embed", [row], {"dim1": 0, "dim2": 0}, "expected different ones")
    bad("torch.triu", [row], {}, "expected rank 2 or more")
    bad("torch.imag", [x], {}, "input is float32, expected complex64")
    bad("torch.view_as_real", [x], {}, "input is float32, expected complex64")
    bad("torch.view_as_complex", [x], {}, "a last axis of extent 2")
    bad("torch.complex", [x, x.double()], {}, "expected one type")
    bad("torch.as_strided", [x], {"size": [2, 2], "stride": [3000, 3]}, "reach beyond")
    bad("torch.as_strided", [x], {"size": [2, 2], "stride": [1]}, "differ in length")
    bad("torch.as_strided", [x], {"size": [2], "stride": [-1]}, "reach beyond")


def as_list(results):
    return list(results) if isinstance(results, tuple) else [results]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent)
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for function in (reshape, permute, slices, expand, join, reduction, order, indexed, diagonals, creation, array_errors):
        writer = ArrayWriter(options.seed)
        for _ in range(1 if function == array_errors else options.count):
            function(writer)
        text = ",\n".join(json.dumps(case, separators=(",", ":")) for case in writer.cases)
        (options.out / f"{function.__name__}.json").write_text("[\n" + text + "\n]\n")


if __name__ == "__main__":
    main()
