# SPDX-License-Identifier: MIT
"""A number of a column becomes the same number of an input, or its row fails: for all pairs of types."""

from __future__ import annotations

import decimal
import math
import struct
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tiny
from kuiper_infer import Model
from kuiper_infer.batch import TableModel
from kuiper_infer.batch.conversion import converted

WHOLE = {f"{sign}int{bits}": (sign == "", bits) for sign in ("", "u") for bits in (8, 16, 32, 64)}
FLOATING = {"float16": "<e", "float32": "<f", "float64": "<d"}
INPUTS = {"float16": "f16", "float32": "f32", "float64": "f64", "int8": "i8", "int16": "i16", "int32": "i32"}
INPUTS |= {"int64": "i64", "uint8": "u8", "bool": "bool"}
EDGES = {
    0,
    1,
    2,
    *(sign * (2**bits + more) for sign in (1, -1) for bits in (7, 8, 15, 16, 31, 32, 63) for more in (-1, 0)),
}
REALS = [0.0, -1.5, 65519.0, 65520.0, 3.4e38, 3.5e38, -1e300, math.inf, -math.inf, math.nan]


def range_of(name: str) -> tuple[int, int]:
    if name == "bool":
        return 0, 1
    signed, bits = WHOLE[name]
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)


def values_of(name: str) -> list[Any]:
    """Numbers that a column of this type can hold, among them those at the ends of all types."""
    if name in FLOATING:
        return [kept for kept in (fitting(value, name) for value in REALS) if kept is not None]
    if name == "decimal":
        return [decimal.Decimal(text) for text in ("0", "-1.5", "65520", "1e30")]
    low, high = range_of(name)
    numbers = sorted(value for value in EDGES if low <= value <= high)
    return [bool(value) for value in numbers] if name == "bool" else numbers


def fitting(value: Any, name: str) -> Any:
    """What a value is as an input of this type, None where it is none: by Python's own numbers."""
    if name not in FLOATING:
        low, high = range_of(name)
        return value if isinstance(value, int) and low <= value <= high else None
    try:
        return struct.unpack(FLOATING[name], struct.pack(FLOATING[name], float(value)))[0]
    except OverflowError:
        return None


@pytest.mark.parametrize("target", INPUTS)
@pytest.mark.parametrize("source", [*WHOLE, *FLOATING, "bool", "decimal"])
@pytest.mark.parametrize("nested", [False, True])
def test_all_pairs_of_types(source: str, target: str, nested: bool) -> None:
    kind = pa.decimal128(38, 2) if source == "decimal" else pa.bool_() if source == "bool" else getattr(pa, source)()
    values = values_of(source)
    if source == "float16":
        values = [np.float16(value) for value in values]  # as Arrow wants them
    shape = "(1,2)" if nested else "(1)"
    model = Model(tiny.param(tiny.identity(shape + INPUTS[target])), tiny.archive({}), threads=1)
    rows = [[values[0], value] for value in values] if nested else values
    table = pa.table({"x": pa.array(rows, pa.list_(kind) if nested else kind)})
    done, failed = TableModel(model, {"x": "pnnx_input_0"}, outputs={"pnnx_output_0": "y"})(table)

    as_python = [value if source in (*WHOLE, "bool", "decimal") else float(value) for value in values]
    expected = [fitting(value, target) for value in as_python]
    if nested and expected[0] is None:
        expected = [None] * len(values)  # the first value is in every row
    assert failed["row"].to_pylist() == [index for index, value in enumerate(expected) if value is None]
    got = [row[1] for row in done["y"].to_pylist()] if nested else done["y"].to_pylist()
    np.testing.assert_array_equal(np.array(got, target), np.array([v for v in expected if v is not None], target))
    for index, reason in zip(failed["row"].to_pylist(), failed["reason"].to_pylist(), strict=True):
        assert reason.startswith("column 'x': input 'pnnx_input_0': the ")
        assert target in reason and (source if source != "decimal" else "float64") in reason
        if "outside" in reason:
            culprit = values[0] if nested and fitting(as_python[0], target) is None else values[index]
            assert f"number {culprit if source != 'decimal' else float(culprit)}" in reason


def test_numbers_that_wrapped_once() -> None:
    model = Model(tiny.param(tiny.identity("(1,2)i32")), tiny.archive({}))
    table = pa.table({"x": [[1, 2], [5_000_000_000, 3], [4, -3_000_000_000]]})
    done, failed = TableModel(model, {"x": "pnnx_input_0"})(table)
    assert done["pnnx_output_0"].to_pylist() == [[1, 2]]
    assert failed["reason"].to_pylist() == [
        f"column 'x': input 'pnnx_input_0': the int64 number {number} at [{place}] is outside of int32, whose numbers "
        "are -2147483648 to 2147483647"
        for number, place in ((5_000_000_000, 0), (-3_000_000_000, 1))
    ]


def test_complex_inputs() -> None:
    assert converted(np.array([1e30, np.inf]), np.dtype("complex64")).tolist() == [np.float32(1e30), complex(np.inf)]
    with pytest.raises(ValueError, match=r"number 1e\+300 at \[1\] is outside of complex64"):
        converted(np.array([1.0, 1e300]), np.dtype("complex64"))
    with pytest.raises(ValueError, match="has type complex64, expected float32"):
        converted(np.zeros(2, np.complex64), np.dtype("float32"))


@pytest.mark.parametrize("dtype", ["U3", "S3", "M8[s]", "m8[s]", "O", "V4"])
def test_what_is_no_number(dtype: str) -> None:
    with pytest.raises(ValueError, match="has type .*, expected int64"):
        converted(np.empty(2, dtype), np.dtype("int64"))


SHAPED = pa.struct({"data": pa.list_(pa.float32()), "shape": pa.list_(pa.int64())})
TENSOR = pa.fixed_shape_tensor(pa.float32(), (2,))
NO_NUMBERS = {
    "null in a tensor": pa.ExtensionArray.from_storage(TENSOR, pa.array([[1.0, None]], pa.list_(pa.float32(), 2))),
    "null in a list": pa.array([[1.0, None]]),
    "null in a fixed list": pa.array([[1.0, None]], pa.list_(pa.float32(), 2)),
    "null in a list of lists": pa.array([[[1.0, 2.0], None]]),
    "null": pa.nulls(1),
    "null of integers": pa.array([None], pa.int64()),
    "null data": pa.array([{"data": None, "shape": [2]}], SHAPED),
    "null shape": pa.array(
        [{"data": [1.0, 2.0], "shape": None}],
        SHAPED,
    ),
    "shape of -1": pa.array([{"data": [1.0, 2.0], "shape": [-1]}]),
    "shape of another size": pa.array([{"data": [1.0, 2.0], "shape": [3]}]),
    "shape of fractions": pa.array([{"data": [1.0, 2.0], "shape": [2.0]}]),
    "dates": pa.array([[1, 2]], pa.list_(pa.date32())),
    "times": pa.array([[1, 2]], pa.list_(pa.timestamp("ns"))),
    "durations": pa.array([[1, 2]], pa.list_(pa.duration("s"))),
    "texts": pa.array([["1", "2"]]),
    "structs": pa.array([{"a": 1, "b": 2}]),
    "map": pa.array([[(1, 2), (3, 4)]], pa.map_(pa.int32(), pa.int32())),
    "list view": pa.array([[1.0, 2.0]], pa.list_view(pa.float32())),
}


@pytest.mark.parametrize("kind", NO_NUMBERS)
def test_a_row_that_is_no_array_fails_alone(kind: str) -> None:
    """It never becomes numbers: nulls, for example, are neither 0 nor NaN."""
    model = Model(tiny.param(tiny.identity("(1,2)f32")), tiny.archive({}))
    done, failed = TableModel(model, {"x": "pnnx_input_0"})(pa.table({"x": NO_NUMBERS[kind]}))
    assert (len(done), failed["row"].to_pylist()) == (0, [0])
    assert failed["reason"][0].as_py().startswith("column 'x'")


ENCODED = {
    "dictionary": pa.array([[1.0, 2.0]], pa.list_(pa.dictionary(pa.int8(), pa.float32()))),
    "decimals": pa.array([[decimal.Decimal(1), decimal.Decimal(2)]]),
    "data and shape": pa.array([{"data": [1, 2], "shape": [2]}]),
    "tensor of decimals": pa.ExtensionArray.from_storage(
        pa.fixed_shape_tensor(pa.decimal128(5, 1), (2,)),
        pa.array([[decimal.Decimal(1), decimal.Decimal(2)]], pa.list_(pa.decimal128(5, 1), 2)),
    ),
    "tensor of truth values": pa.ExtensionArray.from_storage(
        pa.fixed_shape_tensor(pa.bool_(), (2,)), pa.array([[True, True]], pa.list_(pa.bool_(), 2))
    ),
}


@pytest.mark.parametrize("kind", ENCODED)
def test_other_encodings_of_numbers(kind: str) -> None:
    model = Model(tiny.param(tiny.identity("(1,2)f32")), tiny.archive({}))
    done, failed = TableModel(model, {"x": "pnnx_input_0"})(pa.table({"x": ENCODED[kind]}))
    assert len(failed) == 0, failed["reason"].to_pylist()
    assert done["pnnx_output_0"].to_pylist() == [[1, 1] if "truth" in kind else [1, 2]]


def test_tensors_whose_axes_are_permuted() -> None:
    """As PyTorch's and NumPy's views of the same memory: Arrow's shape is that of the memory."""
    values = np.arange(24, dtype=np.float32)
    kind = pa.fixed_shape_tensor(pa.float32(), (2, 3, 4), permutation=[2, 0, 1])
    column = pa.ExtensionArray.from_storage(kind, pa.FixedSizeListArray.from_arrays(values, 24))
    model = Model(tiny.param(tiny.identity("(1,4,2,3)f32")), tiny.archive({}))
    done, _ = TableModel(model, {"x": "pnnx_input_0"})(pa.table({"x": column}))
    got = done["pnnx_output_0"].combine_chunks().to_numpy_ndarray()
    np.testing.assert_array_equal(got[0], values.reshape(2, 3, 4).transpose(2, 0, 1))
