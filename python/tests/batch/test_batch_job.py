# SPDX-License-Identifier: MIT
"""kuiper-batch on a local Ray: every row once, whatever is wrong with some of them."""

from __future__ import annotations

import pathlib

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tiny
from kuiper_infer import vision
from kuiper_infer.batch.__main__ import main

from .helpers import DATA, expected_scores, model_path, read_outputs, start_job, write_shards

pytestmark = pytest.mark.usefixtures("cluster")


def run(tmp_path: pathlib.Path, *more: str, input: str = "in") -> int:
    arguments = ["--input", str(tmp_path / input), "--output", str(tmp_path / "out"), "--param", model_path("scorer")]
    return main([*arguments, "--name", "pnnx_output_0=score", *more])


MAP = ("--map", "pixels=pnnx_input_0")


def modified(folder: pathlib.Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*.parquet")}


def test_every_row_once_and_what_exists_is_skipped(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    pictures = write_shards(tmp_path / "in", 5, 20)
    assert run(tmp_path, *MAP) == 0
    assert "5 of 5 shards done; now 100 rows, of which 0 failed" in capsys.readouterr().out
    table = read_outputs(tmp_path / "out")
    assert table["id"].to_pylist() == list(range(100))
    np.testing.assert_allclose(np.stack(table["score"].to_numpy()), expected_scores(pictures), rtol=1e-5)
    assert not (tmp_path / "out" / "_failed").exists()
    assert not list((tmp_path / "out").glob("_temporary*"))

    before = modified(tmp_path / "out")
    assert len(before) == 5
    removed = tmp_path / "out" / "a" / "part-2.parquet"
    removed.unlink()
    assert run(tmp_path, *MAP) == 0
    assert "now 20 rows" in capsys.readouterr().out
    after = modified(tmp_path / "out")
    assert {path for path in before if before[path] != after[path]} == {str(removed)}
    assert read_outputs(tmp_path / "out").equals(table)


def test_failing_rows_and_a_broken_shard(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_shards(tmp_path / "in", 3, 10)
    rows = [[0.5] * 192, None, [0.5] * 5, [0.5] * 192]
    pq.write_table(pa.table({"id": [100, 101, 102, 103], "pixels": rows}), tmp_path / "in" / "z.parquet")
    good = (tmp_path / "in" / "a" / "part-2.parquet").read_bytes()
    (tmp_path / "in" / "a" / "part-2.parquet").write_bytes(good[: len(good) // 2])
    assert run(tmp_path, *MAP) == 1  # something is missing
    said = capsys.readouterr()
    assert "no output for 'a/part-2.parquet'" in said.err
    assert "3 of 4 shards done; now 24 rows, of which 2 failed" in said.out
    failed = pq.read_table(tmp_path / "out" / "_failed" / "z.parquet")
    assert failed["id"].to_pylist() == [101, 102]
    assert failed["row"].to_pylist() == [1, 2]
    assert "is null" in failed["reason"][0].as_py()

    (tmp_path / "in" / "a" / "part-2.parquet").write_bytes(good)
    assert run(tmp_path, *MAP) == 0
    assert read_outputs(tmp_path / "out")["id"].to_pylist() == [*range(30), 100, 103]


def test_numbers_that_do_not_fit_the_input_fail(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").mkdir()
    fine, infinite = [0.5] * 192, [0.5] * 191 + [np.inf]
    pq.write_table(pa.table({"pixels": [fine, [1e300] * 192, infinite]}), tmp_path / "in" / "a.parquet")
    assert run(tmp_path, *MAP) == 0
    assert "now 3 rows, of which 1 failed" in capsys.readouterr().out
    failed = pq.read_table(tmp_path / "out" / "_failed" / "a.parquet")
    reason = "column 'pixels': input 'pnnx_input_0': the float64 number 1e+300 at [0,0,0] is outside of float32"
    assert [failed["row"].to_pylist(), failed["reason"][0].as_py()[: len(reason)]] == [[1], reason]


def test_another_job_leaves_no_groups_behind(tmp_path: pathlib.Path) -> None:
    """It is refused before it writes anything."""
    write_shards(tmp_path / "in", 1, 5)
    assert run(tmp_path, *MAP) == 0
    before = sorted(path.name for path in (tmp_path / "out").iterdir())
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "0.png").write_bytes((DATA / "picture.png").read_bytes())
    assert run(tmp_path, input="images") == 2
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == before


def test_a_model_of_several_outputs_and_free_extents(tmp_path: pathlib.Path) -> None:
    (tmp_path / "in").mkdir()
    lengths = [3, 5, 5, 4, 5]
    rows = {name: [[1] * length for length in lengths] for name in ("ids", "mask", "kinds")}
    pq.write_table(pa.table({"id": range(5), **rows}), tmp_path / "in" / "a.parquet")
    param = str(DATA.parents[1] / "serve" / "data" / "encoder.pnnx.param")
    columns = [("--map", f"{name}=pnnx_input_{number}") for number, name in enumerate(rows)]
    arguments = ["--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"), "--param", param]
    assert main([*arguments, *sum(columns, ()), "--name", "pnnx_output_0.1=pooled"]) == 0
    table = pq.read_table(tmp_path / "out" / "a.parquet")
    assert table.column_names == ["id", "pnnx_output_0.0", "pooled"]
    assert [row["shape"] for row in table["pnnx_output_0.0"].to_pylist()] == [[length, 16] for length in lengths]
    pooled = np.stack(table["pooled"].to_numpy())
    assert pooled.shape == (5, 16)
    np.testing.assert_allclose(pooled[[1, 2, 4]], pooled[[1] * 3], rtol=1e-5)


def test_an_output_folder_belongs_to_one_job(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_shards(tmp_path / "in", 1, 5)
    assert run(tmp_path, *MAP) == 0
    assert run(tmp_path, *MAP, "--rows-per-call", "3") == 0  # how it is computed may differ
    assert run(tmp_path, *MAP, "--keep", "id", "--any-shape") == 2
    assert "belongs to another job: its keep was None, now it is ['id']" in capsys.readouterr().err


@pytest.mark.parametrize("rows", [0, 1, 1000])
def test_sizes_of_shards(tmp_path: pathlib.Path, rows: int) -> None:
    write_shards(tmp_path / "in", 1, 1)
    table = pa.table(
        {"id": pa.array(range(rows), pa.int64()), "pixels": pa.array([[0.5] * 192] * rows, pa.list_(pa.float32(), 192))}
    )
    pq.write_table(table, tmp_path / "in" / "z.parquet", row_group_size=300)
    assert run(tmp_path, *MAP, "--rows-per-call", "7") == 0
    written = pq.read_table(tmp_path / "out" / "z.parquet")
    assert written["id"].to_pylist() == list(range(rows))
    assert written.schema.equals(pq.read_schema(tmp_path / "out" / "a" / "part-0.parquet"))


def test_folders_of_images(tmp_path: pathlib.Path) -> None:
    png = (DATA / "picture.png").read_bytes()
    (tmp_path / "in" / "deep").mkdir(parents=True)
    for index in range(10):
        (tmp_path / "in" / "deep" / f"{index}.png").write_bytes(png)
    (tmp_path / "in" / "broken.JPG").write_bytes(png[:50])
    assert run(tmp_path, "--group", "4", "--mean", "0.5", "--std", "0.25") == 0
    assert sorted(path.name for path in (tmp_path / "out").glob("*.parquet"))[-3:] == [
        f"images-{number:08}.parquet" for number in range(3)
    ]
    tables = [pq.read_table(path) for path in sorted((tmp_path / "out").glob("images-*.parquet"))]
    table = pa.concat_tables(tables)
    assert table["path"].to_pylist() == [f"deep/{index}.png" for index in range(10)]
    picture = (vision.read(png).transpose(2, 0, 1)[None] / 255 - 0.5) / 0.25
    np.testing.assert_allclose(table["score"][0].as_py(), expected_scores(picture)[0], rtol=1e-4)
    failed = pq.read_table(tmp_path / "out" / "_failed" / "images-00000000.parquet")
    assert failed["path"].to_pylist() == ["broken.JPG"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--map", "pixels=nothing"), "no input 'nothing'"),
        (("--map", "nothing=pnnx_input_0"), "no column 'nothing'"),
        (("--name", "nothing=x", *MAP), "no output 'nothing'"),
        (("--param", "absent.pnnx.param", *MAP), "absent.pnnx.param"),
        (("--input", "absent", *MAP), "no input files"),
        (("--mean", "1", "2", *MAP), "mean has 2 numbers, expected 1 or 3"),
    ],
)
def test_wrong_arguments(
    tmp_path: pathlib.Path, more: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_shards(tmp_path / "in", 1, 1)
    assert run(tmp_path, *more) == 2
    assert message in capsys.readouterr().err
    assert not list((tmp_path).glob("out/*.parquet"))


@pytest.mark.parametrize(
    ("option", "value"),
    [("--input", ""), ("--output", ""), ("--retries", "-1"), ("--group", "0"), ("--rows-per-call", "9" * 30)],
)
def test_wrong_values(option: str, value: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(tmp_path, option, value)
    assert ended.value.code == 2
    assert f"argument {option}: " in capsys.readouterr().err


@pytest.mark.parametrize("option", [("--divisor", "0"), ("--divisor", "inf"), ("--mean", "nan"), ("--std", "0")])
def test_numbers_that_make_no_picture(
    option: tuple[str, str], tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_shards(tmp_path / "in", 1, 1)
    assert run(tmp_path, *MAP, *option) == 2
    assert "expected finite numbers, and divisor and deviation other than 0" in capsys.readouterr().err


def test_the_first_shard_may_be_unreadable(tmp_path: pathlib.Path) -> None:
    write_shards(tmp_path / "in", 1, 3)
    (tmp_path / "in" / "a" / "broken.parquet").write_bytes(b"PAR1")
    assert run(tmp_path, *MAP) == 1
    assert read_outputs(tmp_path / "out")["id"].to_pylist() == [0, 1, 2]


def test_operators_of_imported_modules(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tiny.double_module(tmp_path)
    param = tiny.write(tmp_path, tiny.doubled())
    (tmp_path / "in").mkdir()
    pq.write_table(pa.table({"pixels": [[1.0, 2, 3], [4, 5, 6]]}), tmp_path / "in" / "0.parquet")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    job = start_job(str(tmp_path / "in"), str(tmp_path / "out"), "--param", param, "--import", module)
    assert job.wait(60) == 0
    written = pq.read_table(tmp_path / "out" / "0.parquet")
    assert written["pnnx_output_0"].to_pylist() == [[2, 4, 6], [8, 10, 12]]


def test_a_module_that_cannot_be_imported(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, *MAP, "--import", "absent_module") == 2
    assert "module 'absent_module' can't be imported: ModuleNotFoundError" in capsys.readouterr().err
