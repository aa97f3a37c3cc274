# SPDX-License-Identifier: MIT
"""Reports about a model: tables that print well, and a picture."""

from __future__ import annotations

import dataclasses
import functools
import shutil
import subprocess
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _html

if TYPE_CHECKING:
    import pandas

    from ._model import ArrayInfo


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Returns rows as text in columns. The last column is aligned left, all others right."""
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    lines = []
    for row in [header, *rows]:
        cells = [cell.rjust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        lines.append("  ".join([*cells, row[-1]]))
    return "\n".join(lines)


def _shape(shape: tuple[int, ...] | None) -> str:
    return "unknown" if shape is None else "(" + ",".join("?" if extent < 0 else str(extent) for extent in shape) + ")"


ARRAY_HEADER = ("", "name", "type", "shape")


def array_rows(inputs: Sequence[ArrayInfo], outputs: Sequence[ArrayInfo]) -> list[tuple[str, str, str, str]]:
    """Returns a row of words for each input and output."""
    named = [("input", each) for each in inputs] + [("output", each) for each in outputs]
    return [(kind, each.name, each.dtype or "unknown", _shape(each.shape)) for kind, each in named]


@dataclasses.dataclass(frozen=True)
class ModelInfo:
    """A model's inputs, outputs, operators, weights and memory, planned for the recorded inputs."""

    inputs: tuple[ArrayInfo, ...]
    outputs: tuple[ArrayInfo, ...]
    parameters: int  #: number of weights
    weight_bytes: int  #: memory of the weights, packed forms included
    multiply_adds: float  #: of a run
    planned_bytes: int | None  #: memory of a run; None if an input's shape is not recorded
    largest_live_bytes: int | None  #: most bytes of arrays alive at the same time: a lower bound of planned_bytes
    operators: dict[str, int]  #: the number of operators of each type
    warnings: list[str]  #: guesses at what the file means

    def __str__(self) -> str:
        rows = [(kind, name, f"{dtype} {shape}") for kind, name, dtype, shape in array_rows(self.inputs, self.outputs)]
        return "\n".join([_table(("", "name", "array"), rows), *self._lines()])

    def _repr_html_(self) -> str:
        arrays = _html.table(ARRAY_HEADER, array_rows(self.inputs, self.outputs), words=range(4))
        return arrays + "".join(map(_html.paragraph, self._lines()))

    def _lines(self) -> list[str]:
        lines = [f"parameters: {self.parameters:,}"]
        if self.planned_bytes is not None:
            lines += [f"multiply-adds: {self.multiply_adds / 1e6:,.1f} million"]
            lines += [f"planned memory: {self.planned_bytes / 2**20:.2f} MiB"]
        counts = sorted(self.operators.items(), key=lambda each: -each[1])
        lines += ["operators: " + ", ".join(f"{count} {type}" for type, count in counts)]
        return lines + [f"warning: {warning}" for warning in self.warnings]


class Step(NamedTuple):
    """One step of a run: an operator, and the operators that are fused into it."""

    name: str
    type: str
    method: str  #: the algorithm, if there is a choice
    shape: tuple[int, ...]  #: of the first output
    seconds: float
    multiply_adds: float
    bytes: float  #: bytes that the step has to read and write, each counted once


class Profile(Sequence[Step]):
    """The steps of a run in their order, each with its time.

    Prints as a table, the slowest first; `to_pandas()` returns a data frame.
    """

    def __init__(self, steps: Sequence[tuple[Any, ...]], seconds: float) -> None:
        self._steps = [Step(*step) for step in steps]
        self.seconds = seconds  #: of the fastest run from end to end

    def __len__(self) -> int:
        return len(self._steps)

    def __getitem__(self, index: Any) -> Any:
        return self._steps[index]

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the steps as a data frame, one row for each step."""
        import pandas

        return pandas.DataFrame(self._steps, columns=Step._fields)

    def __str__(self) -> str:
        rows = self._rows()
        lines = [_table(self._header, rows)]
        if len(self._steps) > len(rows):
            lines.append(f"... and {len(self._steps) - len(rows)} more steps")
        return "\n".join([*lines, self._totals()])

    def _repr_html_(self) -> str:
        rows = self._rows()
        more = f" ({len(rows)} are shown)" if len(self._steps) > len(rows) else ""
        return _html.table(self._header, rows, words=[4]) + _html.paragraph(self._totals() + more)

    _header = ("ms", "share", "GFLOP/s", "GB/s", "step")

    def _rows(self) -> list[tuple[str, str, str, str, str]]:
        """The slowest steps."""
        most = 20
        total = sum(step.seconds for step in self._steps)
        rows = []
        for step in sorted(self._steps, key=lambda each: -each.seconds)[:most]:
            seconds = max(step.seconds, 1e-9)
            by = f" by {step.method}" if step.method else ""
            rows.append(
                (
                    f"{step.seconds * 1e3:.3f}",
                    f"{100 * step.seconds / max(total, 1e-9):.1f}%",
                    f"{2e-9 * step.multiply_adds / seconds:.1f}" if step.multiply_adds else "-",
                    f"{1e-9 * step.bytes / seconds:.1f}",
                    f"{step.type} {step.name} {_shape(step.shape)}{by}",
                )
            )
        return rows

    def _totals(self) -> str:
        total = sum(step.seconds for step in self._steps)
        return f"{total * 1e3:.3f} ms in {len(self._steps)} steps, {self.seconds * 1e3:.3f} ms from end to end"

    __repr__ = __str__


class Svg(str):
    """A picture as SVG; notebooks show it."""

    @classmethod
    def draw(cls, dot: str) -> Svg:
        """Draws a graph in Graphviz's language by its program `dot`."""
        program = shutil.which("dot")
        if program is None:
            raise RuntimeError("the program `dot` is not there: install graphviz, or use graph_text()")
        drawn = subprocess.run([program, "-Tsvg"], input=dot, capture_output=True, text=True, check=True)
        return cls(drawn.stdout)

    def _repr_svg_(self) -> str:
        return str(self)


class Operation(NamedTuple):
    """A spelling of an operator that models may have."""

    type: str
    family: str
    arguments: str  #: in PyTorch's notation


@functools.cache
def ops() -> tuple[Operation, ...]:
    """Returns all operators that models may have, with their arguments.

    >>> [each.arguments for each in ops() if each.type == "nn.ReLU"]
    ['Tensor input|self']
    """
    from . import _core

    return tuple(Operation(*row) for row in _core.operations())
