# SPDX-License-Identifier: MIT
"""Small models and tables for the tests of batch jobs."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import kuiper_infer

DATA = pathlib.Path(__file__).parent / "data"


def with_package() -> dict[str, str]:
    """The environment, in which other processes find the package where this one has found it."""
    folder = str(pathlib.Path(kuiper_infer.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])}


def model_path(name: str) -> str:
    return str(DATA / f"{name}.pnnx.param")


def make_pictures(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).random((count, 3, 8, 8), np.float32)


def expected_scores(pictures: np.ndarray) -> np.ndarray:
    """What the model `scorer` gives, from its definition."""
    return pictures.mean((2, 3)) @ (np.arange(12, dtype=np.float32).reshape(4, 3) / 8).T


def write_shards(folder: pathlib.Path, shards: int, rows: int) -> np.ndarray:
    """Parquet files of numbered rows of pictures. Returns the pictures."""
    pictures = make_pictures(shards * rows)
    for shard in range(shards):
        part = slice(shard * rows, (shard + 1) * rows)
        tensors = pa.FixedShapeTensorArray.from_numpy_ndarray(pictures[part])
        path = folder / f"{'ab'[shard % 2]}" / f"part-{shard}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table({"id": np.arange(part.start, part.stop), "pixels": tensors}), path)
    return pictures


def read_outputs(folder: pathlib.Path) -> pa.Table:
    """All rows that a job has written, by number."""
    files = [path for path in folder.rglob("*.parquet") if "_" not in {part[0] for part in path.parts[-2:]}]
    return pa.concat_tables([pq.read_table(path) for path in sorted(files)]).sort_by("id")


def start_job(source: str, target: str, *more: str) -> subprocess.Popen[str]:
    """kuiper-batch in processes of its own, with a Ray of its own."""
    arguments = ["--input", source, "--output", target, "--param", model_path("scorer"), "--address", "local"]
    return subprocess.Popen(
        [sys.executable, "-m", "kuiper_infer.batch", *arguments, "--map", "pixels=pnnx_input_0", *more],
        env=with_package(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
