# SPDX-License-Identifier: MIT
"""The result of comparing a model's outputs with PyTorch's."""

from __future__ import annotations

import dataclasses

from . import _html
from ._pytorch.difference import Difference


@dataclasses.dataclass(frozen=True)
class ComparedOutput:
    """An output, and how far it is from PyTorch's."""

    dtype: str
    shape: tuple[int, ...]
    difference: Difference
    equal: bool  #: within the tolerance

    def __str__(self) -> str:
        if self.equal:
            return f"{self.dtype}{self.shape}: equal to {self.difference.deviations:.2g} standard deviations"
        return f"{self.dtype}{self.shape}: departs, {self.difference}"


@dataclasses.dataclass(frozen=True)
class Departure:
    """The first array between operators that differs from the same array in the converter's PyTorch code."""

    operator: str  #: the operator's name in the model file; empty if the file does not name one
    type: str  #: the operator's type
    operand: str  #: the array's name in the model file
    line: str  #: the line of PyTorch code that computes it
    difference: Difference

    def __str__(self) -> str:
        operator = f"{self.type} {self.operator!r}, " if self.type else ""
        return f"{operator}operand {self.operand}: {self.difference}\n  {self.line}"


@dataclasses.dataclass(frozen=True, repr=False)
class Comparison:
    """How far a model's results are from PyTorch's; prints as a table."""

    outputs: tuple[ComparedOutput, ...]
    rtol: float
    departure: Departure | None = None  #: set if an output departs and the converter's code could be run
    note: str = ""  #: further facts about outputs that depart

    @property
    def equal(self) -> bool:
        """Whether all outputs are within the tolerance."""
        return all(output.equal for output in self.outputs)

    def __str__(self) -> str:
        rows = [f"output {index}, {output}" for index, output in enumerate(self.outputs)]
        if self.departure is not None:
            rows.append(f"first departing operator: {self.departure}")
        if self.note:
            rows.append(self.note)
        return "\n".join(rows)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = [
            (
                str(index),
                output.dtype,
                str(output.shape),
                "equal" if output.equal else "departs",
                str(output.difference),
            )
            for index, output in enumerate(self.outputs)
        ]
        found = _html.table(
            ("output", "type", "shape", f"at rtol {self.rtol:g}", "difference"), rows, words=[1, 2, 3, 4]
        )
        if self.departure is not None:
            found += _html.paragraph(f"first departing operator: {self.departure}")
        return found + (_html.paragraph(self.note) if self.note else "")
