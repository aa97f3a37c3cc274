# SPDX-License-Identifier: MIT
"""A model on rows: the arrays of several rows go into one run, and a row that fails fails alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from .. import ArrayInfo, KuiperError, Model
from .._batch_axis import why_rows_fixed, why_rows_mix
from .conversion import fitted, row_shape

Shapes = tuple[tuple[int, ...], ...]
Rows = dict[int, Sequence[np.ndarray]]  # by their numbers: an array for each input

_TRIED = ((32, 64), (8, 16))  # two sizes each for extents that are free: of pictures, and of short tables of positions
_WAITING = 32 << 20  # bytes of rows that wait for others of their shapes, at most


@dataclass
class Results:
    """For each row, the reason why it failed or None, and each output's array, or None if it failed."""

    reasons: list[str | None]
    outputs: list[list[np.ndarray | None]]  # of each of the model's outputs

    def add(self, reason: str | None) -> None:
        """Adds a row that has no outputs yet, or failed."""
        self.reasons.append(reason)
        for output in self.outputs:
            output.append(None)

    def fail(self, row: int, reason: str) -> None:
        """Makes a row a failed one, which has no outputs."""
        self.reasons[row] = reason
        for output in self.outputs:
            output[row] = None


@dataclass
class _Plan:
    """How rows of some shapes are run, and the shape that each output has in one row; None if that is not known."""

    counted: tuple[bool, ...]  # of each output: whether its first axis counts rows
    row_shapes: tuple[tuple[int, ...] | None, ...]
    together: bool | None = None  # several rows can be one run; found out when there are several


class RowModel:
    """Runs a model on rows.

    The first axis of inputs is the batch, and a row holds the axes after it. Rows of equal shapes run together,
    `rows_per_call` at a time, if the model's outputs then have as many rows, and each row has the same results as
    alone. Otherwise each row is a run. Without a `batch_axis` a row holds a whole input and is a run.
    """

    def __init__(self, model: Model, rows_per_call: int = 4, batch_axis: bool = True) -> None:
        if rows_per_call < 1:
            raise ValueError(f"rows_per_call is {rows_per_call}, expected at least 1")
        for info in model.inputs:
            _check_type(info)
        self.model = model
        self.rows_per_call = rows_per_call
        self.batch_axis = batch_axis
        self.outputs = _describe_outputs(model)
        self._plans: dict[Shapes, _Plan] = {}
        self._rows_mix: bool | None = None  # not known yet

    def recorded_row_shapes(self) -> tuple[tuple[int, ...] | None, ...]:
        """Returns the shape of each output in one row of the recorded inputs; None if it is not known before a run, or
        depends on free extents of the inputs.
        """
        shapes = [row_shape(info, self.batch_axis) for info in self.model.inputs]
        if all(extent >= 0 for shape in shapes for extent in shape):
            return self._plan(tuple(shapes)).row_shapes
        for sizes in _TRIED:
            tried = [tuple(tuple(size if e < 0 else e for e in shape) for shape in shapes) for size in sizes]
            one, other = (self._plan(each).row_shapes for each in tried)
            found = tuple(a if a == b else None for a, b in zip(one, other, strict=True))
            if any(shape is not None for shape in found):
                return found
        return (None,) * len(self.outputs)

    def fit(self, array: np.ndarray, info: ArrayInfo) -> np.ndarray:
        """The row's array with the rank and type that the input expects. Raises ValueError as `fitted` does."""
        return fitted(array, info, self.batch_axis)

    def run(self, rows: Iterable[Sequence[np.ndarray] | str]) -> Results:
        """The outputs of rows, each given as one fitted array for each of the model's inputs, or as why it failed.

        Few of the rows are held at a time.
        """
        results = Results([], [[] for _ in self.outputs])
        groups: dict[Shapes, Rows] = {}
        size = 0
        for index, row in enumerate(rows):
            results.add(row if isinstance(row, str) else None)
            if isinstance(row, str):
                continue
            shapes = tuple(array.shape for array in row)
            groups.setdefault(shapes, {})[index] = row
            size += sum(array.nbytes for array in row)
            if len(groups[shapes]) == (1 if self._plan(shapes).together is False else self.rows_per_call):
                size -= sum(array.nbytes for each in groups[shapes].values() for array in each)
                self._run_group(shapes, groups.pop(shapes), results)
            elif size > _WAITING:  # rows of ever new shapes
                while groups:
                    self._run_group(*groups.popitem(), results)
                size = 0
        while groups:
            self._run_group(*groups.popitem(), results)
        return results

    def _run_group(self, shapes: Shapes, rows: Rows, results: Results) -> None:
        plan = self._plan(shapes)
        if plan.together is None and len(rows) > 1:
            plan.together = all(plan.counted) and self._may_join(shapes)
        for members in [rows] if plan.together else [{index: row} for index, row in rows.items()]:
            self._run_together(members, plan, results)

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

    def _run_together(self, rows: Rows, plan: _Plan, results: Results) -> None:
        names = [info.name for info in self.model.inputs]
        columns = zip(*rows.values(), strict=True)
        arrays = [np.stack(column) if self.batch_axis else column[0] for column in columns]
        try:
            outputs = self.model.run(dict(zip(names, arrays, strict=True)))
            parts = [self._split(output, len(rows), first) for output, first in zip(outputs, plan.counted, strict=True)]
        except (KuiperError, ValueError, TypeError, MemoryError) as error:
            if len(rows) == 1:
                results.fail(next(iter(rows)), str(error))
            else:
                for index, row in rows.items():
                    self._run_together({index: row}, plan, results)
            return
        for number, cells in enumerate(parts):
            for index, cell in zip(rows, cells, strict=True):
                results.outputs[number][index] = np.asarray(cell)

    def _split(self, output: np.ndarray, rows: int, counted: bool) -> Sequence[np.ndarray]:
        """An output's part of each row."""
        if not counted:
            return [output]
        if output.shape[:1] != (rows,):  # its shape depends on the data, which only the run could tell
            raise ValueError(f"an output for {rows} rows has shape {output.shape}")
        return list(output)


def _check_type(info: ArrayInfo) -> None:
    """Raises ValueError for an input whose element type NumPy lacks."""
    try:
        np.dtype(info.dtype)
    except TypeError:
        raise ValueError(f"input '{info.name}' has element type {info.dtype}, expected one that NumPy has") from None


def _describe_outputs(model: Model) -> tuple[ArrayInfo, ...]:
    """Returns the outputs. If they are known only after a run, the model is run on zeros."""
    outputs = model.outputs
    if all(info.dtype is not None for info in outputs):
        return outputs
    shapes = [[extent if extent >= 0 else 32 for extent in info.shape or ()] for info in model.inputs]
    arrays = model.run([np.zeros(shape, info.dtype) for shape, info in zip(shapes, model.inputs, strict=True)])
    names = [info.name for info in outputs]
    if len(arrays) != len(names):
        names = [f"{names[0]}.{index}" for index in range(len(arrays))]
    return tuple(ArrayInfo(name, str(array.dtype), None) for name, array in zip(names, arrays, strict=True))
