# SPDX-License-Identifier: MIT
"""Measures the parts of the time of a job on many machines (docs/batch.md).

python pieces.py MODEL.pnnx.param
"""

from __future__ import annotations

import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import time

import pyarrow as pa
import ray
from local_cluster import LocalCluster, make_inputs, make_job

from kuiper_infer import Model
from kuiper_infer.batch.job import connect, open_shards, run_shards
from kuiper_infer.batch.shards import Shard, make_shards
from kuiper_infer.batch.storage import Storage
from kuiper_infer.batch.worker import Job, ModelFiles


@ray.remote(num_cpus=1)
def fetch(reference: list[ray.ObjectRef]) -> float:
    """Returns the seconds until a machine has the object."""
    begun = time.monotonic()
    ray.get(reference[0])
    return time.monotonic() - begun


def measure_distribution(files: tuple[bytes, bytes]) -> None:
    for size in (sum(map(len, files)), 1 << 30):
        seconds = ray.get(fetch.remote([ray.put(os.urandom(size))]))
        megabytes = size / 1e6
        print(f"model: {megabytes:.0f} MB to another machine in {seconds:.3f} s, {megabytes / seconds:.0f} MB/s")


def measure_list(folder: pathlib.Path, count: int = 100_000) -> None:
    (folder / "many").mkdir()
    for number in range(count):
        (folder / "many" / f"{number:06}.parquet").touch()
    begun = time.monotonic()
    shards = make_shards(Storage(str(folder / "many")).files(), Storage(str(folder / "none")), 256)
    listed = time.monotonic()
    left = open_shards(shards, Storage(str(folder / "many")))
    assert len(shards) == count and not left
    found = time.monotonic()
    print(f"shard list: {count} files listed in {listed - begun:.2f} s, as many outputs in {found - listed:.2f} s")


def measure_tasks(shards: list[Shard], job: Job, files: ModelFiles, count: int = 3000) -> None:
    """Measures tasks alone: shards whose outputs exist cost nothing else."""
    for workers in (None, 2000):
        begun = time.monotonic()
        done = list(run_shards(shards[:1] * count, job, files, workers=workers))
        assert len(done) == count and not any(one.error for one in done)
        rate = count / (time.monotonic() - begun)
        print(f"tasks: {rate:.0f} shards/s handed out and taken back by one driver, {workers or 'a few'} at a time")


def measure_worker(files: tuple[bytes, bytes]) -> None:
    begun = time.monotonic()
    Model(*files, threads=1)
    print(f"worker: the model is loaded from memory in {time.monotonic() - begun:.3f} s")


def main(param: str) -> None:
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pieces"))
    make_inputs(folder / "in", param, 24, 32)
    shards, job, files = make_job(folder / "in", folder / "out", param)
    print(f"pyarrow {pa.__version__}, ray {ray.__version__}, load {os.getloadavg()}")
    cluster = LocalCluster(sorted(os.sched_getaffinity(0)))
    connect(cluster.address)
    begun = time.monotonic()
    done = run_shards(shards, job, files)
    first = next(done)
    print(f"worker: first shard after {time.monotonic() - begun:.2f} s, of which {first.seconds:.2f} s are the shard")
    seconds = [first.seconds, *(one.seconds for one in done)]
    print(f"skew: {len(seconds)} equal shards, median {statistics.median(seconds):.3f} s, longest {max(seconds):.3f} s")
    measure_tasks(shards, job, files)
    measure_distribution(files)
    measure_worker(files)
    measure_list(folder)
    shutil.rmtree(folder)
    cluster.stop()


if __name__ == "__main__":
    main(sys.argv[1])
