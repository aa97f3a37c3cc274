# SPDX-License-Identifier: MIT
"""A call of other sizes than the example's, for the extents that an exported program leaves free."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from ..calls import Call


def call_of_other_sizes(call: Call, extents: Sequence[Sequence[Any]], ranges: Mapping[Any, Any]) -> Call | None:
    """Returns the call with more rows, columns and so on along free axes; None if no extent is free.

    `extents`: those of each tensor, free ones symbolic; `ranges`: the bounds of the symbols. What is longer repeats the
    tensor from its beginning.
    """
    symbols = sorted({symbol for shape in extents for extent in shape for symbol in _symbols(extent)}, key=str)
    if not symbols:
        return None
    sizes = {symbol: _other_size(symbol, call, extents, ranges) for symbol in symbols}
    tensors = iter(
        [
            _resized(tensor, [_value(extent, sizes) for extent in shape])
            for tensor, shape in zip(call.tensors, extents, strict=True)
        ]
    )
    leaves = tuple(next(tensors) if isinstance(leaf, torch.Tensor) else leaf for leaf in call.leaves)
    return dataclasses.replace(call, leaves=leaves)


def _symbols(extent: Any) -> set[Any]:
    return set() if isinstance(extent, int) else set(extent.node.expr.free_symbols)


def _value(extent: Any, sizes: Mapping[Any, int]) -> int:
    return extent if isinstance(extent, int) else int(extent.node.expr.subs(sizes))


def _other_size(symbol: Any, call: Call, extents: Sequence[Sequence[Any]], ranges: Mapping[Any, Any]) -> int:
    """A size next to the example's that lies in the symbol's range."""
    example = next(
        (
            tensor.shape[axis]
            for tensor, shape in zip(call.tensors, extents, strict=True)
            for axis, extent in enumerate(shape)
            if not isinstance(extent, int) and extent.node.expr == symbol
        ),
        2,
    )
    bounds = ranges.get(symbol)
    for size in (example + 1, example - 1):
        if bounds is None or bounds.lower <= size <= bounds.upper:
            return size
    return example


def _resized(tensor: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    for axis, extent in enumerate(shape):
        if extent != tensor.shape[axis]:
            indices = torch.arange(extent) % max(tensor.shape[axis], 1)
            tensor = tensor.index_select(axis, indices)
    return tensor
