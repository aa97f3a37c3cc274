# SPDX-License-Identifier: MIT
"""What a job is cut into: a shard is a Parquet file, or a group of images, and becomes one output file."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from fsspec.utils import glob_translate

from .pictures import EXTENSIONS
from .storage import Storage

PARQUET = (".parquet", ".pq")
GROUPS = "_groups.parquet"  # in the output folder: which images belong together


class Shard(NamedTuple):
    """Input files, below the input's root, and the output file that they become."""

    output: str
    files: tuple[str, ...]

    @property
    def is_parquet(self) -> bool:
        return self.files[0].lower().endswith(PARQUET)


def find_inputs(pattern: str) -> tuple[Storage, list[str]]:
    """The input's root and the files below it that a folder, a file or a pattern with *, **, ? or [] stands for.

    Files and folders whose names begin with . or _ are left out, as other readers of folders of Parquet files do.
    """
    wildcard = re.search(r"[*?\[]", pattern)
    folder, rest = pattern, "**"
    if wildcard or Storage(pattern).is_file():
        folder, slash, _ = pattern[: wildcard.start() if wildcard else None].rpartition("/")
        rest = pattern[len(folder + slash) :]
        folder = folder or slash or "."
    storage = Storage(folder)
    matches = re.compile(glob_translate(rest)).match
    visible = [name for name in storage.files() if not any(part[0] in "._" for part in name.split("/"))]
    return storage, [name for name in visible if matches(name)]


def make_shards(inputs: Sequence[str], output: Storage, group: int) -> list[Shard]:
    """The shards of a job. Raises ValueError where the files are neither all Parquet files nor all images."""
    if not inputs:
        raise ValueError("there are no input files")
    for kind in (PARQUET, EXTENSIONS):
        if all(name.lower().endswith(kind) for name in inputs):
            if kind is EXTENSIONS:
                return _group_images(inputs, output, group)
            return _by_file(inputs)
    first = inputs[0]
    other = next((name for name in inputs if _kind(name) != _kind(first)), first)
    raise ValueError(
        f"'{first}' and '{other}': expected either Parquet files {PARQUET} or images {EXTENSIONS}; "
        "a pattern such as 'folder/**/*.png' chooses among the files of a folder"
    )


def _kind(name: str) -> tuple[str, ...] | None:
    return next((kind for kind in (PARQUET, EXTENSIONS) if name.lower().endswith(kind)), None)


def _by_file(inputs: Sequence[str]) -> list[Shard]:
    shards: dict[str, Shard] = {}
    for name in inputs:
        shard = Shard(name.rpartition(".")[0] + ".parquet", (name,))
        if shard.output in shards:
            raise ValueError(f"'{shards[shard.output].files[0]}' and '{name}' would both become '{shard.output}'")
        shards[shard.output] = shard
    return list(shards.values())


def _group_images(inputs: Sequence[str], output: Storage, group: int) -> list[Shard]:
    """Groups of images. They are kept in the output folder, so that images which come or go later do not move others
    into another group, whose output may exist already; new ones make further groups."""
    groups: list[list[str]] = []
    if output.exists(GROUPS):
        groups = pq.read_table(io.BytesIO(output.read(GROUPS)))["files"].to_pylist()
    known = {name for members in groups for name in members}
    new = [name for name in inputs if name not in known]
    if new:
        groups += [new[start : start + group] for start in range(0, len(new), group)]
        with output.written_whole(GROUPS) as stream:
            pq.write_table(pa.table({"files": groups}), stream)
    return [Shard(f"images-{number:08}.parquet", tuple(members)) for number, members in enumerate(groups)]
