# SPDX-License-Identifier: MIT
"""Which files are inputs, and how they are cut into shards."""

from __future__ import annotations

import pathlib

import pytest

from kuiper_infer.batch.shards import find_inputs, make_shards
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
    assert find_inputs(f"{folder}{pattern}")[1] == names
    monkeypatch.chdir(folder.parent)
    assert find_inputs(f"in{pattern}")[1] == names
    assert find_inputs(f"local://{folder}{pattern}")[1] == names  # an address that only fsspec knows
    if pattern:
        monkeypatch.chdir(folder)
        assert find_inputs(pattern[1:])[1] == names


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


def test_a_file_appears_when_it_is_whole(tmp_path: pathlib.Path) -> None:
    storage = Storage(str(tmp_path))
    with pytest.raises(ZeroDivisionError), storage.written_whole("a/b") as stream:
        stream.write(b"half")
        raise ZeroDivisionError
    assert storage.files() == []
    for text in (b"one", b"two"):
        with storage.written_whole("a/b") as stream, storage.written_whole("a/b") as other:
            other.write(b"never seen")
            stream.write(text)
        assert storage.read("a/b") == text
    assert storage.files() == ["a/b"]
    storage.delete_temporary()
    assert not (tmp_path / "_temporary").exists()
