# SPDX-License-Identifier: MIT
"""A call of other sizes than the example's, for the extents that an exported program leaves free."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

from ..calls import Call
from .linear_extents import linear_extent
from .ranges import Extents


def calls_of_other_sizes(call: Call, extents: Extents, ranges: Mapping[Any, Any]) -> Iterator[Call]:
    """Calls with another size along each free axis: by one, or twice as many, which code that halves sizes may want.

    `extents`: those of each tensor, free ones symbolic; `ranges`: the bounds of the symbols.
    """
    examples = sizes_of(call, extents)
    for factor, added in ((1, 1), (2, 0), (1, -1)):
        sizes = {}
        for symbol, size in examples.items():
            other = factor * size + added
            sizes[symbol] = other if _within(other, ranges.get(symbol)) else size
        if sizes != examples:
            yield call_of_sizes(call, extents, sizes)


def call_of_smallest_sizes(call: Call, extents: Extents, ranges: Mapping[Any, Any]) -> Call | None:
    """The call with 1 for all symbols with that bound, which PyTorch takes from the user without looking at it."""
    examples = sizes_of(call, extents)
    ones = {symbol: 1 for symbol in examples if symbol in ranges and ranges[symbol].lower == 1}
    return call_of_sizes(call, extents, examples | ones) if examples != examples | ones else None


def sizes_of(call: Call, extents: Extents) -> dict[Any, int]:
    """The values that the symbols have in the call, as far as an axis tells them."""
    return {
        linear.symbol: linear.symbol_of(tensor.shape[axis])
        for tensor, shape in zip(call.tensors, extents, strict=True)
        for axis, extent in enumerate(shape)
        if not isinstance(extent, int) and (linear := linear_extent(extent.node.expr)) is not None
    }


def _within(size: int, bounds: Any) -> bool:
    return bounds is None or bool(bounds.lower <= size <= bounds.upper)


def call_of_sizes(call: Call, extents: Extents, sizes: Mapping[Any, int]) -> Call:
    """Returns the call with these sizes for the symbols. What is longer repeats the tensor from its beginning."""
    pairs = zip(call.tensors, extents, strict=True)
    return call.with_tensors([_resized(tensor, [_value(extent, sizes) for extent in shape]) for tensor, shape in pairs])


def _value(extent: Any, sizes: Mapping[Any, int]) -> int:
    return extent if isinstance(extent, int) else int(extent.node.expr.subs(sizes))


def _resized(tensor: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    for axis, extent in enumerate(shape):
        if extent != tensor.shape[axis]:
            indices = torch.arange(extent) % max(tensor.shape[axis], 1)
            tensor = tensor.index_select(axis, indices)
    return tensor
