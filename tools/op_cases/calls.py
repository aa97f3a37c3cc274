# SPDX-License-Identifier: MIT
"""Calls of single operations: spellings that the converter replaces by others, drawn geometries, and wrong calls with what
their errors say."""
import random

import torch

from . import case
from .call import Call


class Calls:
    """Draws arguments from a seed and adds the cases NAME_0, NAME_1, ..."""

    def __init__(self, name, seed):
        self.rng = random.Random(seed)
        self.name, self.count = name, 0
        torch.manual_seed(seed)

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

    def add(self, type, inputs, params, outputs=None, attributes=None, names=(), tolerance=1e-6, error=None, tuple=False):
        """A case with given outputs, or a wrong call with a part of its error."""
        name = f"{self.name}_{self.count}"
        self.count += 1
        tolerance = None if error else tolerance
        case.CASES.append(Call(name, type, inputs, params, outputs, attributes or {}, names, tolerance, error, tuple))

    def refuse(self, type, inputs, params, error, names=(), **options):
        """A wrong call with a part of its error."""
        self.add(type, inputs, params, error=error, names=names, **options)

    def call(self, type, function, inputs, params=None, names=(), tolerance=0.0):
        """A case with what PyTorch gives; without a result there is none."""
        try:
            outputs = function()
        except (RuntimeError, IndexError, ValueError, TypeError):
            return
        outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
        self.add(type, inputs, params or {}, outputs, names=names, tolerance=tolerance)


def draw(name, seed, *functions):
    """Cases of functions that get one `Calls`, each (function, times)."""
    calls = Calls(name, seed)
    for function, times in functions:
        for _ in range(times):
            function(calls)


def wide(function, *tensors):
    """Computes in float64 and returns float32; integers stay unchanged."""
    results = function(*[None if t is None else t.double() for t in tensors])
    results = results if isinstance(results, tuple) else (results,)
    return [r.float() if r.is_floating_point() else r for r in results]


def exact(x):
    """Converts floating inputs to float64, which PyTorch sums more precisely than float32."""
    return x.double() if x.is_floating_point() else x


def like(x, *results):
    """Converts floating results to x's type."""
    return [r.to(x.dtype) if r.is_floating_point() and x.is_floating_point() else r for r in results]


def bound(terms):
    """Returns the tolerance of a float32 sum of `terms` products of numbers up to 2."""
    return 1e-6 + 5e-7 * terms
