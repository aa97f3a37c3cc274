# SPDX-License-Identifier: MIT
"""The bounds of free extents, and which extents are equal, as parameters of an input."""

from __future__ import annotations

import collections
from collections.abc import Mapping, Sequence
from typing import Any

from .linear_extents import linear_extent

Extents = Sequence[Sequence[Any]]

LowestSizes = Mapping[Any, int]
"""The least values of symbols, where they are others than PyTorch's bounds say."""

_UNBOUNDED = 2**31 - 1


def range_parameters(extents: Extents, ranges: Mapping[Any, Any], lowest: LowestSizes) -> list[dict[str, str]]:
    """The parameters of each input; empty where nothing is free or bounded.

    `extents`: those of each input, free ones symbolic; `ranges`: the bounds of the symbols.

        min=(1,1,16) max=(64,2147483647,16) extents=(s0,s1,16)
    """
    uses = collections.Counter(_text(extent) for shape in extents for extent in shape if not isinstance(extent, int))
    parameters = []
    for shape in extents:
        made = {}
        if any(not isinstance(extent, int) for extent in shape):
            bounds = [_bounds(extent, ranges, lowest) for extent in shape]
            made["min"], made["max"] = (_tuple(side) for side in zip(*bounds, strict=True))
            if any(uses[_text(extent)] > 1 for extent in shape if not isinstance(extent, int)):
                made["extents"] = _tuple(map(_text, shape))
        parameters.append(made)
    return parameters


def _bounds(extent: Any, ranges: Mapping[Any, Any], lowest: LowestSizes) -> tuple[int, int]:
    if isinstance(extent, int):
        return extent, extent
    linear = linear_extent(extent.node.expr)
    bounds = None if linear is None else ranges.get(linear.symbol)
    if linear is None or bounds is None:  # computed from other axes
        return 0, _UNBOUNDED
    lower = lowest.get(linear.symbol, _number(bounds.lower, 0))
    return linear.of(lower), min(linear.of(_number(bounds.upper, _UNBOUNDED)), _UNBOUNDED)


def _number(bound: Any, default: int) -> int:
    """A bound as a number; PyTorch has symbols for infinity."""
    return int(bound) if getattr(bound, "is_Integer", False) else default


def _text(extent: Any) -> str:
    return str(extent).replace(" ", "")


def _tuple(items: Any) -> str:
    return f"({','.join(map(str, items))})"
