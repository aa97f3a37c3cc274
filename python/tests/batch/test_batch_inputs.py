# SPDX-License-Identifier: MIT
"""Which files are inputs, and how they are cut into shards."""

from __future__ import annotations

import pathlib

import pytest

from kuiper_infer.batch.inputs import find_inputs
from kuiper_infer.batch.shards import make_shards
from kuiper_infer.batch.storage import Storage

FILES = ["a/1.parquet", "a/b/2.parquet", "3.parquet", "_hidden/4.parquet", ".hidden.parquet", "5.txt"]


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    for name in FILES:
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).touch()
    return tmp_path / "in"


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("", ["3.parquet", "5.txt", "a/1.parquet", "a/b/2.parquet"]),
        ("/**", ["3.parquet", "5.txt", "a/1.parquet", "a/b/2.parquet"]),
        ("/*.parquet", ["3.parquet"]),
        ("/**/*.parquet", ["3.parquet", "a/1.parquet", "a/b/2.parquet"]),
        ("/a/*.parquet", ["1.parquet"]),
        ("/a/*/?.parquet", ["b/2.parquet"]),
        ("/3.parquet", ["3.parquet"]),
        ("/absent", []),
    ],
)
def test_patterns(folder: pathlib.Path, pattern: str, names: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    output = Storage(str(folder.parent / "out"))
    assert find_inputs(f"{folder}{pattern}", output)[1] == names
    monkeypatch.chdir(folder.parent)
    assert find_inputs(f"in{pattern}", output)[1] == names
    assert find_inputs(f"local://{folder}{pattern}", output)[1] == names  # an address that only fsspec knows
    if pattern:
        monkeypatch.chdir(folder)
        assert find_inputs(pattern[1:], output)[1] == names


def test_parquet_shards_are_named_by_their_files(tmp_path: pathlib.Path) -> None:
    shards = make_shards(["a/1.parquet", "a/2.pq"], Storage(str(tmp_path)), 8)
    assert [(shard.output, shard.files) for shard in shards] == [
        ("a/1.parquet", ("a/1.parquet",)),
        ("a/2.parquet", ("a/2.pq",)),
    ]


def test_groups_of_images_stay_when_images_come_and_go(tmp_path: pathlib.Path) -> None:
    output = Storage(str(tmp_path))
    first = make_shards([f"{name}.jpg" for name in "bdfhj"], output, 2)
    assert [shard.files for shard in first] == [("b.jpg", "d.jpg"), ("f.jpg", "h.jpg"), ("j.jpg",)]
    second = make_shards([f"{name}.jpg" for name in "abcfhj"], output, 4)
    assert second[:3] == first
    assert second[3].files == ("a.jpg", "c.jpg")
    assert len({shard.output for shard in second}) == 4


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "no input files"),
        (["a.parquet", "b.jpg"], "'a.parquet' and 'b.jpg'"),
        (["a.txt"], "'a.txt'"),
        (["a.pq", "a.parquet"], "both become 'a.parquet'"),
    ],
)
def test_refused_inputs(tmp_path: pathlib.Path, names: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_shards(names, Storage(str(tmp_path)), 8)
