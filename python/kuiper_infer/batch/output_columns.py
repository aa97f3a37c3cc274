# SPDX-License-Identifier: MIT
"""Rows of NumPy arrays as Arrow columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa


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
