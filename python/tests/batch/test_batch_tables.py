# SPDX-License-Identifier: MIT
"""A model on tables gives what it gives row by row, and a row that fails fails alone."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tiny
from kuiper_infer import Model
from kuiper_infer.batch import TableModel

from .helpers import DATA, expected_scores, make_pictures, model_path

IN, OUT = "pnnx_input_0", "pnnx_output_0"


@pytest.fixture(scope="module")
def scorer() -> Model:
    return Model(model_path("scorer"), threads=1)


@pytest.mark.parametrize("rows_per_call", [1, 4, 16])
@pytest.mark.parametrize("kind", ["tensor", "flat", "batch of one"])
def test_rows_in_their_order(scorer: Model, kind: str, rows_per_call: int) -> None:
    pictures = make_pictures(10)
    shape = {"tensor": (3, 8, 8), "flat": (192,), "batch of one": (1, 3, 8, 8)}[kind]
    column = pa.FixedShapeTensorArray.from_numpy_ndarray(pictures.reshape(10, *shape))
    table = pa.table({"pixels": column, "id": range(10)})
    done, failed = TableModel(scorer, {"pixels": IN}, outputs={OUT: "score"}, rows_per_call=rows_per_call)(table)
    assert done.column_names == ["id", "score"]
    assert done["id"].to_pylist() == list(range(10))
    np.testing.assert_allclose(np.stack(done["score"].to_numpy()), expected_scores(pictures), rtol=1e-5)
    assert len(failed) == 0


def test_failing_rows_say_why(scorer: Model) -> None:
    good = [0.5] * 192
    table = pa.table({"id": list("abcdef"), "x": [good, None, [1.0], good, [None] * 192, good]})
    done, failed = TableModel(scorer, {"x": IN})(table)
    assert done["id"].to_pylist() == ["a", "d", "f"]
    assert [failed["row"].to_pylist(), failed["id"].to_pylist()] == [[1, 2, 4], ["b", "c", "e"]]
    reasons = failed["reason"].to_pylist()
    assert "column 'x' is null" in reasons[0]
    assert "shape (1,), expected (3, 8, 8)" in reasons[1]
    assert "null" in reasons[2]


def test_a_row_that_the_model_refuses_fails_alone(scorer: Model) -> None:
    rows = [np.ones((3, 8, 8)), np.ones((2, 8, 8)), np.ones((3, 4, 4))]
    table = pa.table({"x": [row.tolist() for row in rows]})
    done, failed = TableModel(scorer, {"x": IN})(table)
    assert len(done) == 2  # this network's mean allows any height and width
    assert failed["row"].to_pylist() == [1]


def test_two_inputs_and_two_outputs() -> None:
    a, b = np.random.default_rng(1).random((2, 5, 4))
    model = TableModel(Model(model_path("pair")), {"a": "pnnx_input_0", "b": "pnnx_input_1"}, outputs={f"{OUT}.1": "n"})
    done, _ = model(pa.table({"a": a.tolist(), "b": b.tolist()}))  # float64 becomes the model's float32
    np.testing.assert_allclose(np.stack(done[f"{OUT}.0"].to_numpy()), a * 2 + b, rtol=1e-6)
    assert done["n"].to_pylist() == (a > b).sum(1).tolist()
    assert done.schema.field("n").type == pa.int64()


def test_rows_that_a_model_would_mix_are_run_alone() -> None:
    """A model without a batch axis, whose outputs do not count rows, gets one row at a time."""
    x = np.random.default_rng(2).random((6, 4, 3), np.float32)
    table = pa.table({"x": x.tolist()})
    done, failed = TableModel(Model(model_path("whole")), {"x": IN}, batch_axis=False)(table)
    assert len(failed) == 0
    want = (x - x.mean(1, keepdims=True)).reshape(6, 1, 12)
    np.testing.assert_allclose(done[OUT].combine_chunks().to_numpy_ndarray(), want, atol=1e-6)


def test_outputs_of_any_shape() -> None:
    rows = [[1.0, -1, 2, 3, -4], [0.0] * 5, [5.0] * 5]
    table = pa.table({"id": range(3), "x": rows})
    model = Model(model_path("positive"))
    done, failed = TableModel(model, {"x": IN}, any_shape=True)(table)
    assert [row["data"] for row in done[OUT].to_pylist()] == [[1, 2, 3], [], [5] * 5]
    assert [row["shape"] for row in done[OUT].to_pylist()] == [[3], [0], [5]]
    assert len(failed) == 0
    same, failed = TableModel(model, {"x": IN})(table)  # the graph tells that its shape depends on the data
    assert same.equals(done) and len(failed) == 0


def test_a_row_of_another_shape_than_the_column() -> None:
    model = Model(tiny.param(tiny.identity("(1,3)f32")), tiny.archive({}))
    table = pa.table({"id": range(2), "x": [[1.0, 2], [1.0, 2, 3]]})
    done, failed = TableModel(model, {"x": IN})(table)  # the recorded shape is kept by the last row alone
    assert done["id"].to_pylist() == [1]
    assert "--any-shape" in failed["reason"][0].as_py()
    done, failed = TableModel(model, {"x": IN}, any_shape=True)(table)
    assert [row["shape"] for row in done[OUT].to_pylist()] == [[2], [3]]


def test_several_outputs_and_free_extents() -> None:
    """An encoder with a free batch and length: rows of several lengths, and results that follow them or not."""
    stem = DATA.parents[1] / "serve" / "data" / "encoder"
    model = Model(f"{stem}.pnnx.param", threads=1)
    columns = {"ids": "pnnx_input_0", "mask": "pnnx_input_1", "kinds": "pnnx_input_2"}
    with np.load(f"{stem}.npz") as expected:
        given = [expected[name] for name in columns]  # with PyTorch's results
        hidden, pooled = expected["hidden"], expected["pooled"]
    rows = {name: [row.tolist() for row in array] for name, array in zip(columns, given, strict=True)}
    for name in columns:
        rows[name] += [rows[name][0][:3], list(range(99))]  # shorter, and longer than its table of positions
    table = pa.table({"id": range(5), **rows})
    named = {f"{OUT}.1": "pooled"}
    done, failed = TableModel(model, columns, outputs=named, rows_per_call=3)(table)
    assert failed["id"].to_pylist() == [4]
    assert done.schema.field("pooled").type == pa.list_(pa.float32(), 16)
    np.testing.assert_allclose(np.stack(done["pooled"].to_numpy())[:3], pooled, rtol=1e-4, atol=1e-5)
    cells = done[f"{OUT}.0"].to_pylist()
    assert [cell["shape"] for cell in cells] == [[5, 16]] * 3 + [[3, 16]]
    for cell, want in zip(cells, hidden, strict=False):
        np.testing.assert_allclose(np.reshape(cell["data"], (5, 16)), want, rtol=1e-4, atol=1e-5)


def test_wrong_types_are_told(scorer: Model) -> None:
    done, failed = TableModel(scorer, {"x": IN})(pa.table({"x": ["text"]}))
    assert "is text" in failed["reason"][0].as_py()
    model = TableModel(scorer, {"x": IN})
    done, failed = model(pa.table({"x": [[True] * 192]}))
    assert len(done) == 1  # bool becomes float
    done, failed = model(pa.table({"x": [b"no picture"]}))
    assert "neither a PNG nor a JPEG" in failed["reason"][0].as_py()


def test_struct_fields_hold_pictures(scorer: Model) -> None:
    encoded = (DATA / "picture.png").read_bytes()
    table = pa.table({"image": [{"bytes": encoded, "path": "a.png"}, {"bytes": None, "path": "b"}]})
    done, failed = TableModel(scorer, {"image.bytes": IN})(table)
    assert len(done) == 1
    assert failed["row"].to_pylist() == [1]


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ({"x": "nothing"}, {}, "no input 'nothing'"),
        ({}, {}, "no column is given for input"),
        ({"x": IN, "y": IN}, {}, "both given"),
        ({"x": IN}, {"outputs": {"nothing": "y"}}, "no output 'nothing'"),
        ({"x": IN}, {"rows_per_call": 0}, "at least 1"),
    ],
)
def test_wrong_names(scorer: Model, columns: dict, options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TableModel(scorer, columns, **options)


@pytest.mark.parametrize("kind", ["bf16", "c32"])
def test_inputs_that_columns_cannot_be(kind: str) -> None:
    model = Model(tiny.param(tiny.identity(f"(1,3){kind}")), tiny.archive({}))
    with pytest.raises(ValueError, match="input 'pnnx_input_0' has element type .*, expected one that NumPy has"):
        TableModel(model, {"x": IN})


def test_wrong_columns(scorer: Model) -> None:
    with pytest.raises(ValueError, match="no column 'x'"):
        TableModel(scorer, {"x": IN})(pa.table({"y": [1]}))
    with pytest.raises(ValueError, match="another name"):
        TableModel(scorer, {"x": IN})(pa.table({"x": [[0.0] * 192], OUT: [1]}))
