# SPDX-License-Identifier: MIT
"""Arrow columns as rows of NumPy arrays, and back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa

Row = np.ndarray | bytes | str | None  # an array; an encoded picture or a text; None where the column is null

SHAPED_FIELDS = ("data", "shape")  # of a struct that holds an array of any shape, as in Arrow's variable-shape tensor


def rows_of(column: pa.Array | pa.ChunkedArray) -> list[Row]:
    """The rows of a column. Numbers become arrays of rank 0, lists of rank 1, lists of lists of rank 2, and so on.

    Raises ValueError for a row that is no array: lists of several lengths inside, or null inside.
    """
    if isinstance(column, pa.ChunkedArray):
        return [row for chunk in column.chunks for row in rows_of(chunk)]
    if isinstance(column, pa.ExtensionArray):
        return _tensor_rows(column)
    kind = column.type
    if _is_bytes(kind):
        return column.to_pylist()
    if pa.types.is_struct(kind) and {field.name for field in kind} == set(SHAPED_FIELDS):
        fields = (rows_of(column.field(name)) for name in SHAPED_FIELDS)
        cells = zip(*fields, column.is_valid().to_pylist(), strict=True)
        return [np.asarray(data).reshape(np.asarray(shape)) if valid else None for data, shape, valid in cells]
    if column.null_count:
        rows: list[Row] = [None] * len(column)
        for index, row in zip(np.flatnonzero(column.is_valid()), rows_of(column.drop_null()), strict=True):
            rows[index] = row
        return rows
    if _is_variable_list(kind):
        return _list_rows(column)
    return list(_block(column))


def _is_bytes(kind: pa.DataType) -> bool:
    tests = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary, pa.types.is_string)
    return any(test(kind) for test in tests) or pa.types.is_large_string(kind)


def _is_variable_list(kind: pa.DataType) -> bool:
    return pa.types.is_list(kind) or pa.types.is_large_list(kind)


def _tensor_rows(column: pa.ExtensionArray) -> list[Row]:
    """Rows of Arrow's fixed-shape tensors, or of another package's tensors that NumPy can see, such as Ray's."""
    valid = np.asarray(column.is_valid())
    solid = column if valid.all() else column.drop_null()
    if not len(solid):
        return [None] * len(column)
    fixed = isinstance(column.type, pa.FixedShapeTensorType)
    stacked = iter(solid.to_numpy_ndarray() if fixed else solid.to_numpy(zero_copy_only=False))
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
        raise TypeError(f"type {column.type} holds no numbers")
    return column.to_numpy(zero_copy_only=False)


def column_type(dtype: str | None, shape: Sequence[int] | None) -> pa.DataType:
    """The type of a column of arrays. Shape None: every row has its own, next to its elements."""
    try:
        element = pa.from_numpy_dtype(np.dtype(dtype or "float32"))
    except (TypeError, NotImplementedError, pa.ArrowNotImplementedError):
        raise TypeError(f"Arrow has no element type for {dtype}") from None
    if shape is None:
        return pa.struct([("data", pa.list_(element)), ("shape", pa.list_(pa.int64()))])
    if len(shape) == 0:
        return element
    if len(shape) == 1:
        return pa.list_(element, shape[0])
    return pa.fixed_shape_tensor(element, tuple(shape))


def column_of(rows: Sequence[np.ndarray], kind: pa.DataType) -> pa.Array:
    """The column, of a type that `column_type` gave, with these rows."""
    if pa.types.is_struct(kind):
        flat = [row.reshape(-1) for row in rows]
        data = pa.array(flat, kind.field("data").type)
        shapes = pa.array([row.shape for row in rows], kind.field("shape").type)
        return pa.StructArray.from_arrays([data, shapes], fields=list(kind))
    is_tensor = isinstance(kind, pa.BaseExtensionType)
    storage = kind.storage_type if is_tensor else kind
    if not rows:
        array = pa.array([], storage)
    elif pa.types.is_fixed_size_list(storage):
        if storage.list_size == 0:  # the number of elements does not tell the number of rows
            array = pa.array([[]] * len(rows), storage)
        else:
            array = pa.FixedSizeListArray.from_arrays(_flat(rows, storage.value_type), type=storage)
    else:
        array = _flat(rows, storage)
    return pa.ExtensionArray.from_storage(kind, array) if is_tensor else array


def _flat(rows: Sequence[np.ndarray], kind: pa.DataType) -> pa.Array:
    return pa.array(np.stack(rows).reshape(-1), kind)
