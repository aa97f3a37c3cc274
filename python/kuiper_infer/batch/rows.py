# SPDX-License-Identifier: MIT
"""A model on rows: the arrays of several rows go into one run, and a row that fails fails alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .. import ArrayInfo, KuiperError, Model
from .._batch_axis import why_rows_fixed, why_rows_mix

Shapes = tuple[tuple[int, ...], ...]


@dataclass
class Results:
    """Row by row: why it failed, None where it did not, and each output's array, None where it failed."""

    reasons: list[str | None]
    outputs: list[list[np.ndarray | None]]  # of each of the model's outputs

    def fail(self, row: int, reason: str) -> None:
        """Makes a row a failed one, which has no outputs."""
        self.reasons[row] = reason
        for output in self.outputs:
            output[row] = None


@dataclass
class _Plan:
    """How rows of some shapes are run, and the shape that each output has in one row, None where that is not known."""

    counted: tuple[bool, ...]  # of each output: whether its first axis counts rows
    row_shapes: tuple[tuple[int, ...] | None, ...]
    together: bool | None = None  # several rows can be one run; found out when there are several


class RowModel:
    """Runs a model on rows.

    The first axis of inputs is the batch, and a row holds what follows it. Rows of equal shapes are run together,
    `rows_per_call` at a time, if the model's outputs then have as many rows, each as it is alone; otherwise each is a
    run. Without a `batch_axis` a row holds a whole input and is a run.
    """

    def __init__(self, model: Model, rows_per_call: int = 4, batch_axis: bool = True) -> None:
        if rows_per_call < 1:
            raise ValueError(f"rows_per_call is {rows_per_call}, expected at least 1")
        self.model = model
        self.rows_per_call = rows_per_call
        self.batch_axis = batch_axis
        self.outputs = _describe_outputs(model)
        self._plans: dict[Shapes, _Plan] = {}
        self._rows_mix: bool | None = None  # not known yet

    def recorded_row_shapes(self) -> tuple[tuple[int, ...] | None, ...]:
        """The shape of each output in one row of the recorded inputs; None where it is not known before a run."""
        shapes = tuple(self._expected(info) for info in self.model.inputs)
        if any(extent < 0 for shape in shapes for extent in shape):
            return (None,) * len(self.outputs)
        return self._plan(shapes).row_shapes

    def fit(self, array: np.ndarray, info: ArrayInfo) -> np.ndarray:
        """The row's array with the rank and type that the input expects. Raises ValueError."""
        expected = self._expected(info)
        rank = len(expected)
        if array.ndim == 1 and rank > 1 and min(expected) >= 0 and array.size == math.prod(expected):
            array = array.reshape(expected)  # files often hold an image's numbers as a flat list
        if self.batch_axis and array.ndim == rank + 1 and array.shape[0] == 1:
            array = array[0]  # the row holds a batch of one
        if array.ndim != rank:
            raise ValueError(f"input '{info.name}': the row has shape {array.shape}, expected {_text(expected)}")
        if not np.can_cast(array.dtype, np.dtype(info.dtype), "same_kind"):
            raise ValueError(f"input '{info.name}': the row has type {array.dtype}, expected {info.dtype}")
        return array.astype(info.dtype, copy=False)

    def _expected(self, info: ArrayInfo) -> tuple[int, ...]:
        shape = info.shape or ()
        return shape[1:] if self.batch_axis else shape

    def run(self, rows: Sequence[Sequence[np.ndarray] | str]) -> Results:
        """The outputs of rows, each given as one fitted array for each of the model's inputs, or as why it failed."""
        results = Results(
            [row if isinstance(row, str) else None for row in rows],
            [[None] * len(rows) for _ in self.outputs],
        )
        groups: dict[Shapes, list[int]] = {}
        for index, row in enumerate(rows):
            if not isinstance(row, str):
                groups.setdefault(tuple(array.shape for array in row), []).append(index)
        for shapes, members in groups.items():
            plan = self._plan(shapes)
            if plan.together is None and len(members) > 1:
                plan.together = all(plan.counted) and self._may_join(shapes)
            step = self.rows_per_call if plan.together else 1
            for start in range(0, len(members), step):
                self._run_together(rows, members[start : start + step], plan, results)
        return results

    def _plan(self, shapes: Shapes) -> _Plan:
        if shapes not in self._plans:
            if len(self._plans) >= 64:  # rows of ever new shapes must not fill the memory
                self._plans.clear()
            self._plans[shapes] = self._make_plan(shapes)
        return self._plans[shapes]

    def _make_plan(self, shapes: Shapes) -> _Plan:
        one = self._output_shapes(shapes)
        counted = tuple(self.batch_axis and shape is not None and shape[:1] == (1,) for shape in one)
        row_shapes = tuple(shape[1:] if first and shape else shape for shape, first in zip(one, counted, strict=True))
        return _Plan(counted, row_shapes)

    def _may_join(self, shapes: Shapes) -> bool:
        row = self._whole(shapes)
        if self.rows_per_call == 1 or self._rows_mix or why_rows_fixed(self.model, [self.rows_per_call], row):
            return False
        if self._rows_mix is None:  # whether a graph mixes rows does not depend on their shapes
            self._rows_mix = why_rows_mix(self.model, row) is not None
        return not self._rows_mix

    def _whole(self, shapes: Shapes) -> Shapes:
        """The shapes of whole inputs of one row."""
        return tuple((1, *shape) for shape in shapes) if self.batch_axis else shapes

    def _output_shapes(self, shapes: Shapes) -> list[tuple[int, ...] | None]:
        """The shape of each output for inputs of one row."""
        try:
            found = [info.shape for info in self.model.output_info(self._whole(shapes))]
        except KuiperError:
            found = []  # the run itself tells what is wrong
        if len(found) != len(self.outputs):
            return [None] * len(self.outputs)
        return [None if shape is None or min(shape, default=0) < 0 else tuple(shape) for shape in found]

    def _run_together(
        self, rows: Sequence[Sequence[np.ndarray] | str], members: list[int], plan: _Plan, results: Results
    ) -> None:
        names = [info.name for info in self.model.inputs]
        columns = zip(*(rows[index] for index in members), strict=True)
        arrays = [np.stack(column) if self.batch_axis else column[0] for column in columns]
        try:
            outputs = self.model.run(dict(zip(names, arrays, strict=True)))
            parts = [
                self._split(output, len(members), first) for output, first in zip(outputs, plan.counted, strict=True)
            ]
        except (KuiperError, ValueError, TypeError, MemoryError) as error:
            if len(members) == 1:
                results.fail(members[0], str(error))
            else:
                for index in members:
                    self._run_together(rows, [index], plan, results)
            return
        for number, cells in enumerate(parts):
            for index, cell in zip(members, cells, strict=True):
                results.outputs[number][index] = np.asarray(cell)

    def _split(self, output: np.ndarray, rows: int, counted: bool) -> Sequence[np.ndarray]:
        """An output's part of each row."""
        if not counted:
            return [output]
        if output.shape[:1] != (rows,):  # its shape depends on the data, which only the run could tell
            raise ValueError(f"an output for {rows} rows has shape {output.shape}")
        return list(output)


def _describe_outputs(model: Model) -> tuple[ArrayInfo, ...]:
    """The outputs; where only a run tells what they are, as they are for inputs of zeros."""
    outputs = model.outputs
    if all(info.dtype is not None for info in outputs):
        return outputs
    shapes = [[extent if extent >= 0 else 32 for extent in info.shape or ()] for info in model.inputs]
    arrays = model.run([np.zeros(shape, info.dtype) for shape, info in zip(shapes, model.inputs, strict=True)])
    names = [info.name for info in outputs]
    if len(arrays) != len(names):
        names = [f"{names[0]}.{index}" for index in range(len(arrays))]
    return tuple(ArrayInfo(name, str(array.dtype), None) for name, array in zip(names, arrays, strict=True))


def _text(shape: Sequence[int]) -> str:
    return "(" + ", ".join("any" if extent < 0 else str(extent) for extent in shape) + ")"
