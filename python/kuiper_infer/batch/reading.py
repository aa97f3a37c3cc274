# SPDX-License-Identifier: MIT
"""A shard's rows, in pieces that are small in memory however small they are in the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from .shards import Shard
from .storage import Storage
from .tables import TableModel

IMAGE_SCHEMA = pa.schema([("path", pa.string()), ("image", pa.binary())])  # the columns of a group of images
_AT_ONCE = 8 << 20  # bytes of a piece and of what the model makes of it, about
_ROWS_READ = 16  # at a time: what they take in memory is known only then
_CALLS_AT_ONCE = 4096
_WIDTHS = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 8, "FLOAT": 4, "DOUBLE": 8}  # bytes of Parquet's numbers


class Piece(NamedTuple):
    """Some rows of a shard, and for each, if there are any, why it could not be read."""

    table: pa.Table
    faults: Sequence[str | None] = ()


def read_schema(shard: Shard, source: Storage) -> pa.Schema:
    """The columns of a shard's rows."""
    if not shard.is_parquet:
        return IMAGE_SCHEMA
    with source.open(shard.files[0]) as stream:
        return pq.read_schema(stream)


def first_schema(files: Iterable[str], source: Storage) -> pa.Schema | None:
    """The columns of the first Parquet file that can be read; None if none can."""
    for name in files:
        try:
            return read_schema(Shard("", (name,)), source)
        except (OSError, pa.ArrowException):
            continue  # its task will tell what is wrong
    return None


def read_pieces(shard: Shard, source: Storage, model: TableModel, schema: pa.Schema) -> Iterator[Piece]:
    """The shard's rows in their order. A piece is at most a few megabytes with its outputs, or the rows of one call."""
    if not shard.is_parquet:
        yield from _read_images(shard.files, source)
        return
    most_rows = _CALLS_AT_ONCE * model.rows_per_call
    waiting: list[pa.RecordBatch] = []
    rows = size = 0
    with source.open(shard.files[0]) as stream, pq.ParquetFile(stream, pre_buffer=True) as file:
        for batch in _read_batches(file, model.needed(schema), model.rows_per_call):
            if waiting and (size + _size(batch, model) > _AT_ONCE or rows + len(batch) > most_rows):
                yield Piece(pa.Table.from_batches(waiting))
                waiting, rows, size = [], 0, 0
            waiting.append(batch)
            rows, size = rows + len(batch), size + _size(batch, model)
        if waiting:
            yield Piece(pa.Table.from_batches(waiting))


def _size(batch: pa.RecordBatch, model: TableModel) -> int:
    return batch.nbytes + len(batch) * model.output_bytes


def _read_batches(file: pq.ParquetFile, columns: list[str], rows_per_call: int) -> Iterator[pa.RecordBatch]:
    """Row group by row group, a few rows at a time."""
    for number in range(file.num_row_groups):
        calls = _rows_at_once(file, number, columns) // rows_per_call
        yield from file.iter_batches(max(1, calls) * rows_per_call, row_groups=[number], columns=columns)


def _rows_at_once(file: pq.ParquetFile, number: int, columns: list[str]) -> int:
    """As many rows of a row group as should fit, if all are alike; how many bytes texts take once they are decoded is
    not in the file, so that these count as they are stored."""
    group = file.metadata.row_group(number)
    size = 0
    for index in range(group.num_columns):
        column = group.column(index)
        if any(f"{column.path_in_schema}.".startswith(f"{name}.") for name in columns):
            width = _WIDTHS.get(column.physical_type, 0) or file.schema.column(index).length
            size += max(column.total_uncompressed_size, column.num_values * width)
    return min(_ROWS_READ, int(_AT_ONCE * group.num_rows / max(1, size)))


def _read_images(names: Sequence[str], source: Storage) -> Iterator[Piece]:
    waiting: list[tuple[str, bytes | None, str | None]] = []
    for name in names:
        try:
            waiting.append((name, source.read(name), None))
        except OSError as error:
            waiting.append((name, None, f"'{name}' cannot be read: {error}"))
        if len(waiting) == _ROWS_READ or sum(len(image or b"") for _, image, _ in waiting) >= _AT_ONCE:
            yield _piece_of(waiting)
            waiting = []
    if waiting:
        yield _piece_of(waiting)


def _piece_of(images: Sequence[tuple[str, bytes | None, str | None]]) -> Piece:
    names, contents, faults = zip(*images, strict=True)
    return Piece(pa.table([list(names), list(contents)], schema=IMAGE_SCHEMA), faults)
