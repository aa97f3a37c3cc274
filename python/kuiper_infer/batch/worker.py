# SPDX-License-Identifier: MIT
"""The work on one shard: it is read, run and written as a whole."""

from __future__ import annotations

import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .. import Model
from .._operators import import_modules
from .pictures import PictureOptions
from .reading import read_pieces, read_schema
from .shards import Shard
from .storage import Storage
from .tables import TableModel

FAILED = "_failed"  # folder, in the output, of the rows that failed
ModelFiles = tuple[bytes, bytes]
_WRITTEN_AT_ONCE = 32 << 20  # bytes of a row group in the output, about


@dataclass(frozen=True)
class Job:
    """The data that every worker needs besides the model."""

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
    """The outcome of a shard. If it could not be read or written, `error` says why, and it has no output."""

    shard: str
    rows: int = 0
    failed: int = 0
    seconds: float = 0.0
    error: str = ""


def process(shard: Shard, job: Job, model: TableModel) -> Done:
    """Makes a shard's output. The file of the rows that failed is in its place before the output appears."""
    start = time.monotonic()
    if job.output.exists(shard.output):  # by an earlier try that was killed after its last step, or by another job
        return Done(shard.output)
    rows = failed_rows = 0
    input_schema = read_schema(shard, job.input)
    schema = model.schema(input_schema)
    side_file = f"{FAILED}/{shard.output}"
    with suppress(_MadeMeanwhile), job.output.written_whole(shard.output) as stream, ExitStack() as side:
        failures: RowWriter | None = None
        with RowWriter(stream, schema) as writer:
            for table, faults in read_pieces(shard, job.input, model, input_schema):
                done, failed = model(table, faults)
                writer.write(done)
                if len(failed):
                    if failures is None:
                        side_stream = side.enter_context(job.output.written_whole(side_file))
                        failures = side.enter_context(RowWriter(side_stream, failed.schema))
                    failures.write(failed.set_column(0, "row", pc.add(failed["row"], rows)))
                rows, failed_rows = rows + len(table), failed_rows + len(failed)
        if job.output.exists(shard.output):
            raise _MadeMeanwhile
        if failures is None:
            job.output.delete(side_file)
    return Done(shard.output, rows, failed_rows, time.monotonic() - start)


class _MadeMeanwhile(Exception):
    """Another job has made the output, which stays as it is, with the file of its failed rows."""


class RowWriter:
    """Writes rows to a Parquet file, in row groups of some size. The file has at least one, which may be empty."""

    def __init__(self, stream: pa.NativeFile, schema: pa.Schema) -> None:
        self._writer = pq.ParquetWriter(stream, schema)
        self._waiting = [schema.empty_table()]
        self._size = 0

    def __enter__(self) -> RowWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None and self._waiting:
            self._flush()
        self._writer.close()

    def write(self, table: pa.Table) -> None:
        self._waiting.append(table)
        self._size += table.nbytes
        if self._size >= _WRITTEN_AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        self._writer.write_table(pa.concat_tables(self._waiting))
        self._waiting, self._size = [], 0
