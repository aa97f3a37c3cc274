# SPDX-License-Identifier: MIT
"""Which images belong together and become one output file."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.parquet as pq

from .claims import claim, claims
from .storage import Storage

Groups = list[list[str]]
_NAME = re.compile(r"(_groups-(\d+))-\w+\.parquet")  # in the output folder; the highest number counts


def group_images(images: Sequence[str], output: Storage, size: int) -> Groups:
    """Returns groups of images. The groups are kept in the output folder: images that are added or removed later do not
    move other images into another group, whose output may exist already. New images form further groups.

    Raises ValueError if another job makes other groups at the same time.
    """
    number, groups = _kept_groups(output)
    known = {name for members in groups for name in members}
    new = [name for name in images if name not in known]
    if new:
        groups += [new[start : start + size] for start in range(0, len(new), size)]
        buffer = io.BytesIO()
        pq.write_table(pa.table({"files": groups}), buffer)
        with claim(output, _stem(number + 1), ".parquet", buffer.getvalue()) as others:
            _check_equal([groups, *map(_read, others)], output)
    return groups


def _kept_groups(output: Storage) -> tuple[int, Groups]:
    """Returns the groups that were kept last, and their number; 0 if there are none."""
    number = max((int(match[2]) for match in map(_NAME.fullmatch, output.own_files()) if match), default=0)
    kept = [_read(content) for content in claims(output, _stem(number))]
    _check_equal(kept, output)
    return number, kept[0] if kept else []


def _stem(number: int) -> str:
    return f"_groups-{number:08}"


def _read(content: bytes) -> Groups:
    return pq.read_table(io.BytesIO(content))["files"].to_pylist()


def _check_equal(kept: Sequence[Groups], output: Storage) -> None:
    if any(groups != kept[0] for groups in kept):
        raise ValueError(
            f"two jobs make different groups of images in '{output.address}' at this moment: begin one again"
        )
