# SPDX-License-Identifier: MIT
"""Operations that repeat or reverse elements, and diagonals, of arrays of drawn shapes and types."""
import torch

from ..calls import draw


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
    other = torch.zeros(x.expand(sizes).shape)
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


def repeated_arguments(w):
    """Adds axes that are rolled twice, sums of integers to smaller arrays, and counts of int32."""
    x = w.tensor(3, 4, 5)
    for shifts, dims in (([1, 2], [0, 0]), ([1, -1], [2, -1]), ([4, 2**40, -7], [1, 0, -2]), ([3, 3], [-3, 0])):
        w.call("aten::roll", lambda: x.roll(shifts, dims), [x, shifts, dims])
    w.refuse("aten::roll", [x, [1], [3]], {}, "argument 'dims' is axis 3")
    for dtype in (torch.int16, torch.uint8, torch.bool, torch.int32, torch.float32):
        for shape, sizes in (((1, 1), []), ((1, 3), [3]), ((2, 3), [3]), ((2, 3), [1, 3]), ((2, 3), [2, 3]), ((1,), [1])):
            number = w.typed(shape, dtype)
            w.call("aten::sum_to_size", lambda: number.sum_to_size(sizes), [number, sizes], tolerance=1e-6)
    for dtype in (torch.int32, torch.int64):
        counts = torch.tensor([3, 0, 2], dtype=dtype)
        w.call("aten::repeat_interleave", lambda: torch.repeat_interleave(counts), [counts, None])


draw("expand", 1, (expand, 6))
draw("repeated_arguments", 1, (repeated_arguments, 1))
draw("diagonals", 1, (diagonals, 6))
