# SPDX-License-Identifier: MIT
"""A shard's peak of memory is bounded by what is read at a time, not by what its rows are when they are decoded."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from .helpers import model_path, with_package

MAKE_OUTPUT = """
import sys
from kuiper_infer.batch.shards import Shard
from kuiper_infer.batch.storage import Storage
from kuiper_infer.batch.worker import Job, process

def peak():
    return next(int(line.split()[1]) >> 10 for line in open("/proc/self/status") if line.startswith("VmHWM"))

folder, param = sys.argv[1:]
job = Job(Storage(folder), Storage(folder + "/out"), {"x": "pnnx_input_0"}, {})
model = job.load((open(param, "rb").read(), open(param.replace("param", "bin"), "rb").read()), threads=1)
rows = job.table_model(model)
process(Shard("small.parquet", ("small.parquet",)), job, rows)  # what the libraries take for themselves
before = peak()
done = process(Shard("x.parquet", ("x.parquet",)), job, rows)
print(done.rows, done.failed, peak() - before)
"""

SIDE = 128
SIZE = 3 * SIDE * SIDE  # elements of a row
ROWS = 1500


def numbers(dtype: str, rows: int = ROWS, size: int = SIZE) -> pa.Array:
    """Lists of equal numbers, which are next to nothing in a file."""
    offsets = np.arange(rows + 1, dtype=np.int64) * size
    kind = pa.from_numpy_dtype(np.dtype(dtype))
    return pa.LargeListArray.from_arrays(offsets, pa.array(np.full(rows * size, 1, dtype), kind))


def tensors(dtype: str, rows: int = ROWS) -> pa.Array:
    flat = pa.FixedSizeListArray.from_arrays(pa.array(np.full(rows * SIZE, 1, dtype)), SIZE)
    return pa.ExtensionArray.from_storage(pa.fixed_shape_tensor(flat.type.value_type, (3, SIDE, SIDE)), flat)


def shaped(dtype: str, small: int = 0) -> pa.Array:
    """Pictures behind `small` rows of one element, which is no picture."""
    flat = pa.concat_arrays([numbers(dtype, small, 1), numbers(dtype)])
    shapes = pa.array([[1]] * small + [[3, SIDE, SIDE]] * ROWS)
    return pa.StructArray.from_arrays([flat, shapes], names=["data", "shape"])


TABLES = {
    "float32": lambda: {"x": tensors("float32")},
    "uint8, which is a quarter of the input": lambda: {"x": tensors("uint8")},
    "any shape": lambda: {"x": shaped("float32")},
    "rows that fail": lambda: {"x": numbers("float32", size=SIZE - 1)},
    "small rows, then large ones": lambda: {"x": shaped("float32", 20_000)},
    "texts that are kept": lambda: {
        "x": numbers("float32", ROWS, 192),
        "text": pa.array(["x" * 500_000] * ROWS, pa.large_string()),
    },
    "kept texts of rows that fail": lambda: {
        "x": numbers("float32", ROWS, 5),
        "text": pa.array(["x" * 500_000] * ROWS, pa.large_string()),
    },
}


@pytest.mark.parametrize("kind", TABLES)
def test_repetitive_rows(tmp_path: pathlib.Path, kind: str) -> None:
    table = pa.table(TABLES[kind]())
    decoded = table.nbytes
    pq.write_table(table, tmp_path / "x.parquet", row_group_size=len(table))
    pq.write_table(table.slice(0, 1), tmp_path / "small.parquet")
    rows = len(table)
    del table
    assert (tmp_path / "x.parquet").stat().st_size < decoded / 100
    done = subprocess.run(
        [sys.executable, "-c", MAKE_OUTPUT, str(tmp_path), model_path("scorer")],
        env=with_package(),
        stdout=subprocess.PIPE,
        text=True,
        timeout=80,
        check=True,
    )
    made, failed, megabytes = map(int, done.stdout.split())
    print(f"{kind}: {decoded >> 20} MiB decoded, peak {megabytes} MiB")
    assert made == rows
    assert failed == (rows if "fail" in kind else 20_000 if "small" in kind else 0)
    assert megabytes < 120
