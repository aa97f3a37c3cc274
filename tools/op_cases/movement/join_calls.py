# SPDX-License-Identifier: MIT
"""Joining, splitting and converting arrays of drawn shapes and types."""
import torch

from ..calls import draw


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


def empty_vectors(w):
    """Adds arrays of shape (0), which join with arrays of any rank, along any axis among themselves."""
    empty, small = torch.zeros(0, dtype=torch.float64), torch.zeros(0, dtype=torch.uint8)
    for others in ([w.tensor(2, 3)], [torch.zeros(0, 0)], [w.tensor(2, 3, 1, 1)], [small], []):
        for pieces in ([*others, empty], [empty, *others]):
            w.call("aten::hstack", lambda: torch.hstack(pieces), [pieces])
    for axis in (1, -3):
        w.call("aten::cat", lambda: torch.cat([empty, small], axis), [[empty, small], axis])
    for name, shape, count in (("hsplit", (3, 4), 3), ("hsplit", (5,), 2), ("vsplit", (3, 4), 2), ("dsplit", (1, 1, 2), 4)):
        w.refuse("aten::" + name, [w.tensor(*shape), count], {}, f"cannot be cut into {count} equal parts")


draw("join", 1, (join, 6))
draw("join_empty", 1, (empty_vectors, 1))
