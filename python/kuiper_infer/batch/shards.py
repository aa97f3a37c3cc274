# SPDX-License-Identifier: MIT
"""The parts of a job: a shard is a Parquet file, or a group of images, and becomes one output file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .groups import group_images
from .pictures import EXTENSIONS
from .storage import Storage

PARQUET = (".parquet", ".pq")


class Shard(NamedTuple):
    """Input files, below the input's root, and the output file that they become."""

    output: str
    files: tuple[str, ...]

    @property
    def is_parquet(self) -> bool:
        return self.files[0].lower().endswith(PARQUET)


def hold_tables(inputs: Sequence[str]) -> bool:
    """Whether the files are Parquet files, not images. Raises ValueError if they are neither."""
    if not inputs:
        raise ValueError("there are no input files")
    kind = _kind(inputs[0])
    other = next((name for name in inputs if _kind(name) != kind or kind is None), None)
    if other is not None:
        raise ValueError(
            f"'{inputs[0]}' and '{other}': expected either Parquet files {PARQUET} or images {EXTENSIONS}; "
            "a pattern such as 'folder/**/*.png' chooses among the files of a folder"
        )
    outputs: dict[str, str] = {}
    for name in inputs if kind is PARQUET else ():
        before = outputs.setdefault(_output_of(name), name)
        if before != name:
            raise ValueError(f"'{before}' and '{name}' would both become '{_output_of(name)}'")
    return kind is PARQUET


def make_shards(inputs: Sequence[str], output: Storage, group: int) -> list[Shard]:
    """Returns the shards of a job; `group` images form one. Raises ValueError if the files make no job."""
    if hold_tables(inputs):
        return [Shard(_output_of(name), (name,)) for name in inputs]
    groups = enumerate(group_images(inputs, output, group))
    return [Shard(f"images-{number:08}.parquet", tuple(images)) for number, images in groups]


def _kind(name: str) -> tuple[str, ...] | None:
    return next((kind for kind in (PARQUET, EXTENSIONS) if name.lower().endswith(kind)), None)


def _output_of(name: str) -> str:
    return name.rpartition(".")[0] + ".parquet"
