# SPDX-License-Identifier: MIT
"""Free extents that are a multiple of a symbol plus a number, as `32 * Dim("rows") + 1` makes them."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class LinearExtent:
    """An extent of factor * symbol + offset."""

    symbol: Any
    factor: int
    offset: int

    def of(self, value: Any) -> Any:
        """The extent for a value of the symbol."""
        return self.factor * value + self.offset

    def symbol_of(self, extent: Any) -> Any:
        """The symbol's value for an extent: a number, or what stands for one in a graph."""
        numerator = extent - self.offset if self.offset else extent
        return numerator // self.factor if self.factor != 1 else numerator


def linear_extent(expression: Any) -> LinearExtent | None:
    """Returns what the expression of a free extent is made of; None if it is not of this kind."""
    symbols = list(expression.free_symbols)
    if len(symbols) != 1:
        return None
    factor = expression.coeff(symbols[0])
    offset = expression - factor * symbols[0]
    if not (factor.is_Integer and offset.is_Integer and factor > 0):
        return None
    return LinearExtent(symbols[0], int(factor), int(offset))
