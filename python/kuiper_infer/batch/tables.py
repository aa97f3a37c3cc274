# SPDX-License-Identifier: MIT
"""A model on Arrow tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .. import ArrayInfo, Model
from .arrow import Row, rows_of
from .naming import columns_of_inputs, columns_of_outputs
from .output_columns import column_of, column_type
from .pictures import PictureOptions, read_picture
from .rows import Results, RowModel


class Predicted(NamedTuple):
    """The result for a table: its rows with the outputs in their order, and the rows that failed."""

    table: pa.Table
    failed: pa.Table  # `row` (its number in the table given), the kept columns, `reason`


class TableModel:
    """Runs a model on the rows of Arrow tables.

    Args:
        model: the model, loaded.
        columns: for each column that is read, the name of the input that it becomes. "a.b": field b of a struct a.
        outputs: for each output, the name of its column; by default the output's own name.
        keep: columns that the result keeps; by default all that are not read.
        rows_per_call: the most rows that run together. If the model mixes rows, each runs by itself.
        batch_axis: whether the first axis of inputs is the batch; otherwise a row holds a whole input.
        any_shape: outputs may have another shape in each row, so that their columns are structs of `data` and `shape`.
        pictures: how encoded pictures (binary columns) become inputs.

    Raises ValueError if columns and outputs do not fit the model.
    """

    def __init__(
        self,
        model: Model,
        columns: Mapping[str, str],
        *,
        outputs: Mapping[str, str] | None = None,
        keep: Sequence[str] | None = None,
        rows_per_call: int = 4,
        batch_axis: bool = True,
        any_shape: bool = False,
        pictures: PictureOptions | None = None,
    ) -> None:
        self.model = model
        self.keep = keep
        self.rows_per_call = rows_per_call
        self.pictures = pictures or PictureOptions()
        self._rows = RowModel(model, rows_per_call, batch_axis)
        self._column_of = columns_of_inputs(columns, model.inputs)
        names = columns_of_outputs(outputs, self._rows.outputs)
        shapes = self._rows.recorded_row_shapes()
        self.output_bytes = sum(_bytes_of(info, shape) for info, shape in zip(self._rows.outputs, shapes, strict=True))
        self.fields = [
            pa.field(name, column_type(info.dtype, None if any_shape else shape))
            for name, info, shape in zip(names, self._rows.outputs, shapes, strict=True)
        ]

    def needed(self, schema: pa.Schema) -> list[str]:
        """The columns of a table that are read or kept."""
        wanted = {*self.kept(schema), *(self._top_column(path, schema) for path in self._column_of.values())}
        return [name for name in schema.names if name in wanted]

    def kept(self, schema: pa.Schema) -> list[str]:
        """The columns of a table that go along. Raises ValueError naming columns that it lacks or that collide."""
        read = {self._top_column(path, schema) for path in self._column_of.values()}
        keep = [name for name in schema.names if name not in read] if self.keep is None else list(self.keep)
        for name in [*keep, *read]:
            if name not in schema.names:
                raise ValueError(f"there is no column '{name}'; the columns are {schema.names}")
        for field in self.fields:
            if field.name in keep:
                raise ValueError(f"the output's column '{field.name}' is a kept column, too: give it another name")
        return keep

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """The result's schema for a table's."""
        return pa.schema([*(schema.field(name) for name in self.kept(schema)), *self.fields])

    def failed_schema(self, schema: pa.Schema) -> pa.Schema:
        """The schema of failed rows for a table's."""
        kept = [schema.field(name) for name in self.kept(schema) if name not in ("row", "reason")]
        return pa.schema([pa.field("row", pa.int64()), *kept, pa.field("reason", pa.string())])

    def __call__(self, table: pa.Table, faults: Sequence[str | None] = ()) -> Predicted:
        """Runs the model on every row. Raises ValueError if the table lacks a column.

        `faults`: for each row, the reason why it has failed already, or None.
        """
        columns = [self._read(table, info) for info in self.model.inputs]
        inputs = (_join(cells) for cells in zip(*columns, strict=True))
        if faults:
            inputs = (fault or row for fault, row in zip(faults, inputs, strict=True))
        results = self._rows.run(inputs)
        for index, reason in enumerate(results.reasons):
            if reason is None:
                self._check_shapes(results, index)
        good = np.flatnonzero([reason is None for reason in results.reasons])
        bad = np.flatnonzero([reason is not None for reason in results.reasons])
        outputs = [
            column_of([row for row in output if row is not None], field.type)
            for field, output in zip(self.fields, results.outputs, strict=True)
        ]
        kept = [table.column(name).take(good) for name in self.kept(table.schema)]
        schema = self.failed_schema(table.schema)
        failed = [table.column(name).take(bad) for name in schema.names[1:-1]]
        reasons = [results.reasons[index] for index in bad]
        return Predicted(
            pa.table([*kept, *outputs], schema=self.schema(table.schema)),
            pa.table([bad, *failed, reasons], schema=schema),
        )

    def _read(self, table: pa.Table, info: ArrayInfo) -> Iterator[np.ndarray | str]:
        """For each row, the input's array or why there is none. An array is made when it is asked for."""
        path = self._column_of[info.name]
        name = self._top_column(path, table.schema)
        if name not in table.column_names:
            raise ValueError(f"there is no column '{name}'; the columns are {table.column_names}")
        column = table.column(name).combine_chunks()
        if name != path:
            column = pc.struct_field(column, path.split(".")[1:])
        try:
            rows = rows_of(column)
        except (ValueError, TypeError, pa.ArrowException):  # some row is at fault: each is read by itself
            return (self._cell(column.slice(index, 1), info, path) for index in range(len(column)))
        return (self._array(row, info, path) for row in rows)

    def _top_column(self, path: str, schema: pa.Schema) -> str:
        return path if path in schema.names else path.partition(".")[0]

    def _cell(self, column: pa.Array, info: ArrayInfo, path: str) -> np.ndarray | str:
        try:
            return self._array(rows_of(column)[0], info, path)
        except (ValueError, TypeError, pa.ArrowException) as error:
            return f"column '{path}': {error}"

    def _array(self, row: Row, info: ArrayInfo, path: str) -> np.ndarray | str:
        try:
            if row is None:
                return f"column '{path}' is null"
            if isinstance(row, str):
                return f"column '{path}' is text, input '{info.name}' takes {info.dtype}"
            array = read_picture(row, info, self.pictures) if isinstance(row, bytes) else np.asarray(row)
            return self._rows.fit(array, info)
        except ValueError as error:
            return f"column '{path}': {error}"

    def _check_shapes(self, results: Results, row: int) -> None:
        """Makes a row a failed one if its outputs do not fit into their columns."""
        for field, output in zip(self.fields, results.outputs, strict=True):
            shape, array = _shape_of(field.type), output[row]
            if shape is not None and array is not None and array.shape != shape:
                results.fail(
                    row,
                    f"output '{field.name}' has shape {array.shape}, not {shape} as with the recorded inputs: "
                    "columns of any shape (--any-shape) can hold it",
                )
                return


def _shape_of(kind: pa.DataType) -> tuple[int, ...] | None:
    if isinstance(kind, pa.FixedShapeTensorType):
        return tuple(kind.shape)
    if pa.types.is_fixed_size_list(kind):
        return (kind.list_size,)
    return None if pa.types.is_struct(kind) else ()


def _bytes_of(info: ArrayInfo, shape: Sequence[int] | None) -> int:
    """Returns the bytes of an output in one row; 0 if they are known only after a run."""
    return 0 if shape is None else math.prod(shape) * np.dtype(info.dtype or "float32").itemsize


def _join(cells: Sequence[np.ndarray | str]) -> Sequence[np.ndarray] | str:
    """A row's inputs, or why one of them is missing."""
    arrays: list[np.ndarray] = []
    for cell in cells:
        if isinstance(cell, str):
            return cell
        arrays.append(cell)
    return arrays
