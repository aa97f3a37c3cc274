# SPDX-License-Identifier: MIT
"""Arrow columns become rows of arrays, whatever type holds them, and back."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from kuiper_infer.batch.arrow import rows_of
from kuiper_infer.batch.output_columns import column_of, column_type

VALUES = np.arange(24, dtype=np.float32).reshape(4, 2, 3)

COLUMNS = {
    "tensor": pa.FixedShapeTensorArray.from_numpy_ndarray(VALUES),
    "fixed lists": pa.array(VALUES.tolist(), pa.list_(pa.list_(pa.float32(), 3), 2)),
    "lists": pa.array(VALUES.tolist(), pa.list_(pa.list_(pa.float32()))),
    "large lists": pa.array(VALUES.tolist(), pa.large_list(pa.large_list(pa.float32()))),
    "lists of fixed lists": pa.array(VALUES.tolist(), pa.list_(pa.list_(pa.float32(), 3))),
    "data and shape": column_of(list(VALUES), column_type("float32", None)),
}


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("cut", [slice(0, 4), slice(1, 3), slice(2, 2)])
def test_rows_of_a_part_of_a_column(kind: str, cut: slice) -> None:
    rows = rows_of(COLUMNS[kind][cut.start : cut.stop])
    assert len(rows) == cut.stop - cut.start
    for row, want in zip(rows, VALUES[cut], strict=True):
        np.testing.assert_array_equal(row, want)


@pytest.mark.parametrize("kind", COLUMNS)
def test_a_null_row_is_none(kind: str) -> None:
    column = COLUMNS[kind].take(pa.array([0, None, 2]))
    rows = rows_of(column)
    assert rows[1] is None
    np.testing.assert_array_equal(rows[0], VALUES[0])
    np.testing.assert_array_equal(rows[2], VALUES[2])


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint8", "int64", "bool"])
def test_numbers(dtype: str) -> None:
    rows = rows_of(pa.array(np.array([0, 1, 1], dtype)))
    assert [row.shape for row in rows] == [()] * 3
    assert rows[0].dtype == np.dtype(dtype)


def test_chunks_and_lists_of_several_lengths() -> None:
    rows = rows_of(pa.chunked_array([[[1.0], [1.0, 2.0]], [[]]]))
    assert [row.tolist() for row in rows] == [[1.0], [1.0, 2.0], []]


@pytest.mark.parametrize("row", [[[1.0], [1.0, 2.0]], [[1.0, None]]])
def test_a_row_that_is_no_array_is_refused(row: list) -> None:
    with pytest.raises(ValueError, match="several lengths|null"):
        rows_of(pa.array([row]))


@pytest.mark.parametrize("shape", [(), (5,), (2, 3), (0,), (2, 0, 3), None])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_columns_of_arrays_and_back(shape: tuple[int, ...] | None, count: int) -> None:
    if shape is None:
        rows = [np.arange(4.0).reshape(4, 1), np.zeros((0, 6)), np.array(1.0)][:count]
    else:
        rows = [np.full(shape, index, np.float64) for index in range(count)]
    column = column_of(rows, column_type("float64", shape))
    assert column.type == column_type("float64", shape)
    back = rows_of(column)
    assert [row.shape for row in back] == [row.shape for row in rows]
    assert all(np.array_equal(one, other) for one, other in zip(back, rows, strict=True))
