# SPDX-License-Identifier: MIT
"""Arrow columns as rows of NumPy arrays."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

Row = np.ndarray | bytes | str | None  # an array; an encoded picture or a text; None where the column is null

_SHAPED_FIELDS = ("data", "shape")  # of a struct that holds an array of any shape, as in Arrow's variable-shape tensor


def rows_of(column: pa.Array | pa.ChunkedArray) -> list[Row]:
    """The rows of a column. Numbers become arrays of rank 0, lists of rank 1, lists of lists of rank 2, and so on;
    decimals count as float64.

    Raises ValueError for a row that is no array: lists of several lengths inside, null inside, a shape that does not
    fit; TypeError for a type that holds no numbers.
    """
    if isinstance(column, pa.ChunkedArray):
        return [row for chunk in column.chunks for row in rows_of(chunk)]
    column = _plain(column)
    if isinstance(column, pa.ExtensionArray):
        return _tensor_rows(column)
    kind = column.type
    if pa.types.is_null(kind):
        return [None] * len(column)
    if _is_bytes(kind):
        return column.to_pylist()
    if pa.types.is_struct(kind) and {field.name for field in kind} == set(_SHAPED_FIELDS):
        fields = (rows_of(column.field(name)) for name in _SHAPED_FIELDS)
        cells = zip(*fields, column.is_valid().to_pylist(), strict=True)
        return [_shaped(data, shape) if valid else None for data, shape, valid in cells]
    if column.null_count:
        rows: list[Row] = [None] * len(column)
        for index, row in zip(np.flatnonzero(column.is_valid()), rows_of(column.drop_null()), strict=True):
            rows[index] = row
        return rows
    if _is_variable_list(kind):
        return _list_rows(column)
    return list(_block(column))


def _plain(column: pa.Array) -> pa.Array:
    """The column without an encoding of its own, and decimals as the nearest float64."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_run_end_encoded(column.type):
        column = pc.run_end_decode(column)
    return column.cast(pa.float64()) if pa.types.is_decimal(column.type) else column


def _shaped(data: Row, shape: Row) -> np.ndarray:
    """A row's elements in the row's own shape."""
    if data is None or shape is None:
        raise ValueError("an element is null")
    extents = np.asarray(shape)
    if extents.dtype.kind not in "iu" or extents.ndim != 1 or (extents < 0).any():
        raise ValueError(f"its shape is {extents.tolist()}, expected a list of whole numbers of at least 0")
    return np.asarray(data).reshape([int(extent) for extent in extents])


def _is_bytes(kind: pa.DataType) -> bool:
    tests = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary, pa.types.is_string)
    return any(test(kind) for test in tests) or pa.types.is_large_string(kind)


def _is_variable_list(kind: pa.DataType) -> bool:
    return pa.types.is_list(kind) or pa.types.is_large_list(kind)


def _tensor_rows(column: pa.ExtensionArray) -> list[Row]:
    """Rows of Arrow's fixed-shape tensors, or of another package's tensors that NumPy can read, such as Ray's."""
    valid = np.asarray(column.is_valid())
    solid = column if valid.all() else column.drop_null()
    if not len(solid):
        return [None] * len(column)
    if isinstance(column.type, pa.FixedShapeTensorType):  # Arrow's own conversion makes 0 of null elements
        axes = column.type.permutation or range(len(column.type.shape))
        block = _block(solid.storage).reshape(len(solid), *column.type.shape)
        stacked = iter(block.transpose(0, *(axis + 1 for axis in axes)))
    else:
        stacked = iter(solid.to_numpy(zero_copy_only=False))
    return [next(stacked) if ok else None for ok in valid]


def _list_rows(column: pa.Array) -> list[Row]:
    offsets = column.offsets.to_numpy()
    values = column.values
    if _is_variable_list(values.type) or values.null_count:
        return [_block(values[begin:end]) for begin, end in pairwise(offsets)]
    first = offsets[0]  # a slice of a column refers to a part of the values
    block = _block(values[first : offsets[-1]])
    return [block[begin - first : end - first] for begin, end in pairwise(offsets)]


def _block(column: pa.Array) -> np.ndarray:
    """A column whose rows have one shape, as one array: (rows, *shape)."""
    column = _plain(column)
    if column.null_count:
        raise ValueError("an element is null")
    if pa.types.is_fixed_size_list(column.type):
        inner = _block(column.flatten())
        return inner.reshape(len(column), column.type.list_size, *inner.shape[1:])
    if _is_variable_list(column.type):
        lengths = set(column.value_lengths().to_pylist())
        if len(lengths) > 1:
            raise ValueError(f"lists of several lengths inside a row: {sorted(lengths)}")
        inner = _block(column.flatten())
        return inner.reshape(len(column), *lengths or {0}, *inner.shape[1:])
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_boolean(column.type)):
        raise TypeError(f"its type {column.type} holds no numbers")
    return column.to_numpy(zero_copy_only=False)
