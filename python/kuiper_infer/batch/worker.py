# SPDX-License-Identifier: MIT
"""What happens to one shard: it is read, run and written whole."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .. import Model
from .._operators import import_modules
from .pictures import PictureOptions
from .shards import Shard
from .storage import Storage
from .tables import TableModel

FAILED = "_failed"  # folder, in the output, of the rows that failed
IMAGE_SCHEMA = pa.schema([("path", pa.string()), ("image", pa.binary())])  # the columns of a group of images
ModelFiles = tuple[bytes, bytes]
_IMAGES_AT_ONCE = 64
_READ_AT_ONCE = 8 << 20  # bytes of rows, about
_WRITTEN_AT_ONCE = 32 << 20  # bytes of a row group in the output, about


@dataclass(frozen=True)
class Job:
    """What every worker has to know, besides the model."""

    input: Storage
    output: Storage
    columns: dict[str, str]
    outputs: dict[str, str]
    keep: list[str] | None = None
    rows_per_call: int = 4
    batch_axis: bool = True
    any_shape: bool = False
    pictures: PictureOptions = field(default_factory=PictureOptions)
    modules: tuple[str, ...] = ()  # which register operators of the model

    def load(self, files: ModelFiles, threads: int = 0) -> Model:
        import_modules(self.modules)
        return Model(*files, threads=threads)

    def table_model(self, model: Model) -> TableModel:
        return TableModel(
            model,
            self.columns,
            outputs=self.outputs,
            keep=self.keep,
            rows_per_call=self.rows_per_call,
            batch_axis=self.batch_axis,
            any_shape=self.any_shape,
            pictures=self.pictures,
        )


class Done(NamedTuple):
    """What came of a shard. `error`: why it could not be read or written; it has no output then."""

    shard: str
    rows: int = 0
    failed: int = 0
    seconds: float = 0.0
    error: str = ""


class Piece(NamedTuple):
    """Some rows of a shard, and for each, if there are any, why it could not be read."""

    table: pa.Table
    faults: Sequence[str | None] = ()


def process(shard: Shard, job: Job, model: TableModel) -> Done:
    """Makes a shard's output. The file of the rows that failed is in its place before the output appears."""
    start = time.monotonic()
    if job.output.exists(shard.output):  # an earlier try was killed after its last step
        return Done(shard.output)
    rows, failures = 0, []
    input_schema = read_schema(shard, job)
    schema = model.schema(input_schema)
    with job.output.written_whole(shard.output) as stream:
        with pq.ParquetWriter(stream, schema) as writer:
            waiting = [schema.empty_table()]
            for table, faults in _read(shard, job, model, input_schema):
                done, failed = model(table, faults)
                failures.append(failed.set_column(0, "row", pc.add(failed["row"], rows)))
                rows += len(table)
                waiting.append(done)
                if sum(part.nbytes for part in waiting) >= _WRITTEN_AT_ONCE:
                    writer.write_table(pa.concat_tables(waiting))
                    waiting.clear()
            if waiting:
                writer.write_table(pa.concat_tables(waiting))
        failed_rows = sum(map(len, failures))
        side_file = f"{FAILED}/{shard.output}"
        if failed_rows:
            with job.output.written_whole(side_file) as side_stream:
                pq.write_table(pa.concat_tables(failures), side_stream)
        else:
            job.output.delete(side_file)
    return Done(shard.output, rows, failed_rows, time.monotonic() - start)


def read_schema(shard: Shard, job: Job) -> pa.Schema:
    """The columns of a shard's rows."""
    if not shard.is_parquet:
        return IMAGE_SCHEMA
    with job.input.open(shard.files[0]) as stream:
        return pq.read_schema(stream)


def first_schema(shards: Iterable[Shard], job: Job) -> pa.Schema | None:
    """The columns of the first shard that can be read; None if none can."""
    for shard in shards:
        try:
            return read_schema(shard, job)
        except (OSError, pa.ArrowException):
            continue  # its task will tell what is wrong
    return None


def _read(shard: Shard, job: Job, model: TableModel, schema: pa.Schema) -> Iterator[Piece]:
    if not shard.is_parquet:
        for start in range(0, len(shard.files), _IMAGES_AT_ONCE):
            yield _read_images(shard.files[start : start + _IMAGES_AT_ONCE], job)
        return
    with job.input.open(shard.files[0]) as stream, pq.ParquetFile(stream, pre_buffer=True) as file:
        groups = [file.metadata.row_group(index) for index in range(file.num_row_groups)]
        row_bytes = sum(group.total_byte_size for group in groups) / max(1, file.metadata.num_rows)
        calls = max(1, min(4096, int(_READ_AT_ONCE / max(1, row_bytes * model.rows_per_call))))
        for batch in file.iter_batches(calls * model.rows_per_call, columns=model.needed(schema)):
            yield Piece(pa.Table.from_batches([batch]))


def _read_images(names: tuple[str, ...], job: Job) -> Piece:
    images: list[bytes | None] = []
    faults: list[str | None] = []
    for name in names:
        try:
            image, fault = job.input.read(name), None
        except OSError as error:
            image, fault = None, f"'{name}' cannot be read: {error}"
        images.append(image)
        faults.append(fault)
    return Piece(pa.table([list(names), images], schema=IMAGE_SCHEMA), faults)
