# SPDX-License-Identifier: MIT
"""A job never reads its own results, and no row counts twice because of a link."""

from __future__ import annotations

import os
import pathlib

import fsspec
import pytest

from kuiper_infer.batch.__main__ import main
from kuiper_infer.batch.inputs import find_inputs
from kuiper_infer.batch.storage import Storage

from .helpers import model_path, write_shards

FILES = ["in/1.parquet", "in/a/2.parquet", "in/a/b/3.parquet", "out/"]


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).mkdir(exist_ok=True) if name.endswith("/") else (tmp_path / name).touch()
    (tmp_path / "link").symlink_to("in")
    (tmp_path / "deep").symlink_to("in/a")
    (tmp_path / "to_out").mkdir()
    (tmp_path / "to_out" / "results").symlink_to("../out")
    (tmp_path / "to_out" / "_results").symlink_to("../out")
    monkeypatch.chdir(tmp_path)
    return tmp_path


OVERLAPS = [
    ("in", "in", "are the same folder"),
    ("in/", "./in/../in", "are the same folder"),
    ("in/*.parquet", "in", "are the same folder"),
    ("in/1.parquet", "in", "are the same folder"),
    ("link", "in", "are the same folder"),
    ("in", "link/", "are the same folder"),
    ("in", "in/out", "taken for inputs"),
    ("in/**/*.parquet", "in/a/new/out", "taken for inputs"),
    ("in/*/*.parquet", "in/a", "taken for inputs"),
    ("in/a*/?.parquet", "in/a", "taken for inputs"),
    ("link/**", "in/out", "taken for inputs"),
    ("in", "deep/out", "taken for inputs"),
    ("in/a", "in", "lies in the output folder"),
    ("in/a/b/*.parquet", "in", "lies in the output folder"),
    ("deep/b", "link", "lies in the output folder"),
    ("to_out", "out", "leads into the output folder"),
    ("to_out/*/*.parquet", "out/", "leads into the output folder"),
]


@pytest.mark.parametrize(("pattern", "output", "message"), OVERLAPS)
def test_overlaps_are_refused(folder: pathlib.Path, pattern: str, output: str, message: str) -> None:
    for prefix in ("", f"{folder}/", f"file://{folder}/", f"local://{folder}/"):
        with pytest.raises(ValueError, match=message) as caught:
            find_inputs(f"{prefix}{pattern}", Storage(output))
        assert f"'{prefix}{pattern}'" in str(caught.value) and f"'{output}'" in str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "output", "count"),
    [
        ("in", "out", 3),
        ("in", "in2", 3),
        ("in/*.parquet", "in/out", 1),
        ("in/a/*.parquet", "in/b", 1),
        ("in/*/*.parquet", "in/a/b/c", 1),
        ("in", "in/_out", 3),
        ("in", "in/a/.out", 3),
        ("to_out/*.parquet", "out", 0),
    ],
)
def test_folders_beside_each_other_are_not(folder: pathlib.Path, pattern: str, output: str, count: int) -> None:
    assert len(find_inputs(pattern, Storage(output))[1]) == count


def test_a_link_to_one_file_of_the_output(folder: pathlib.Path) -> None:
    (folder / "out" / "1.parquet").touch()
    (folder / "in" / "old.parquet").symlink_to("../out/1.parquet")
    with pytest.raises(ValueError, match="old.parquet' leads into the output folder"):
        find_inputs("in", Storage("out"))


@pytest.mark.parametrize("kind", ["memory", "s3"])
def test_places_in_object_stores(kind: str) -> None:
    """s3://bucket/in2 is not below s3://bucket/in; no server is asked."""
    more = "?region=us-east-1&endpoint_override=127.0.0.1:9" if kind == "s3" else ""

    def place(path: str) -> Storage:
        return Storage(f"{kind}://{path}{more}")

    assert place("bucket/in").path_of(place("bucket/in/")) == ""
    assert place("bucket/in").path_of(place("bucket/in/x/y")) == "x/y"
    assert place("bucket").path_of(place("bucket/in")) == "in"
    for other in ("bucket/in2", "bucket", "bucket2/in"):
        assert place("bucket/in").path_of(place(other)) is None
    assert place("bucket/in").path_of(Storage("/bucket/in")) is None


def test_a_job_in_an_object_store() -> None:
    system = fsspec.filesystem("memory")
    system.pipe("/bucket/in/1.parquet", b"")
    with pytest.raises(ValueError, match="taken for inputs"):
        find_inputs("memory://bucket/in", Storage("memory://bucket/in/out"))
    assert find_inputs("memory://bucket/in", Storage("memory://bucket/out"))[1] == ["1.parquet"]


def test_circles_of_links(folder: pathlib.Path) -> None:
    (folder / "in" / "a" / "up").symlink_to("../../in/a")
    for pattern in ("in", "in/**/*.parquet"):
        with pytest.raises(ValueError, match="in/a/up' leads back to .*in/a', which contains it"):
            find_inputs(pattern, Storage("out"))
    assert find_inputs("in/*.parquet", Storage("out"))[1] == ["1.parquet"]
    with pytest.raises(ValueError, match="leads back"):
        Storage("in").files()
    (folder / "in" / "a" / "up").unlink()
    (folder / "in" / "self").symlink_to("self")
    with pytest.raises(OSError, match="symbolic links"):
        find_inputs("in", Storage("out"))


def test_links_to_other_folders_and_what_is_no_file(folder: pathlib.Path) -> None:
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere" / "4.parquet").touch()
    (folder / "in" / "c").symlink_to(folder / "elsewhere")
    (folder / "in" / "broken.parquet").symlink_to("absent")
    os.mkfifo(folder / "in" / "pipe.parquet")
    expected = ["1.parquet", "a/2.parquet", "a/b/3.parquet", "c/4.parquet"]
    assert find_inputs("in", Storage("out"))[1] == expected
    assert Storage("in").files() == expected


@pytest.mark.parametrize("output", ["in", "in/out", "."])
def test_the_program_refuses_before_anything_is_written(
    tmp_path: pathlib.Path, output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_shards(tmp_path / "in", 2, 3)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    source, target = str(tmp_path / "in"), str(tmp_path / output)
    arguments = ["--input", source, "--output", target, "--param", model_path("scorer")]
    assert main([*arguments, "--map", "pixels=pnnx_input_0"]) == 2
    said = capsys.readouterr().err
    assert f"'{source}'" in said and f"'{target}'" in said
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
