# SPDX-License-Identifier: MIT
"""Rows a second: one machine of one CPU, several of them, and one process of as many threads.

The cluster's machines are raylets of their own on this machine. Rates are of the middle of a job: after a third of its
shards, since workers start at different times, and before the last ones, at which some have no more. Rounds take turns,
so that what else the machine does meets all alike; the median is told.

    python scaling.py MODEL.pnnx.param [rows a shard] [shards a CPU] [rounds] [rows a call]
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from typing import NamedTuple

import ray
from local_cluster import LocalCluster, make_inputs, make_job, processor_seconds

from kuiper_infer import Model
from kuiper_infer.batch.job import ModelFiles, run_shards
from kuiper_infer.batch.shards import Shard
from kuiper_infer.batch.worker import Done, Job, process


class Rate(NamedTuple):
    """Rows by time while all workers were busy, and by the processor time of all processes, Ray's included."""

    a_second: float
    a_processor_second: float


def rate(done: Iterable[Done], shards: int, workers: int) -> Rate:
    moments: list[tuple[float, float, int]] = []
    for one in done:
        assert not one.error, one.error
        moments.append((time.monotonic(), processor_seconds(), one.rows))
    assert len(moments) == shards
    middle = moments[shards // 3 : -workers]
    (begin, begin_used, _), (end, end_used, _) = middle[0], middle[-1]
    rows = sum(count for _, _, count in middle[1:])
    return Rate(rows / (end - begin), rows / (end_used - begin_used))


def one_process(shards: list[Shard], job: Job, files: ModelFiles, threads: int) -> Iterable[Done]:
    model = job.table_model(Model(*files, threads=threads))
    for shard in shards:
        yield process(shard, job, model)


def main(param: str, rows: int, shards_a_cpu: int, rounds: int, rows_per_call: int) -> None:
    cpus = os.cpu_count() or 1
    folder = pathlib.Path(tempfile.mkdtemp(prefix="scaling"))
    make_inputs(folder / "in", param, shards_a_cpu * cpus, rows)
    shards, job, files = make_job(folder / "in", folder / "out", param)
    job = dataclasses.replace(job, rows_per_call=rows_per_call)
    few = shards[:shards_a_cpu]
    cluster = LocalCluster(machines=cpus)
    ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
    ways = {
        "one CPU": lambda: rate(run_shards(few, job, files, workers=1), len(few), 1),
        f"{cpus} machines of one CPU": lambda: rate(run_shards(shards, job, files), len(shards), cpus),
        f"one process of {cpus} threads": lambda: rate(one_process(few, job, files, cpus), len(few), 1),
    }
    rates: dict[str, list[Rate]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            shutil.rmtree(folder / "out", ignore_errors=True)
            load = os.getloadavg()[0]
            found = way()
            rates[name].append(found)
            print(f"{name}: {found.a_second:.1f} rows/s, {found.a_processor_second:.1f} rows by processor second "
                  f"(load before it {load:.1f})", flush=True)  # fmt: skip
    for field in Rate._fields:
        one, many, threads = (statistics.median(getattr(found, field) for found in way) for way in rates.values())
        linear = many / one / (cpus if field == "a_second" else 1)
        print(f"rows {field.replace('_', ' ')}: medians {one:.1f}, {many:.1f}, {threads:.1f}; {linear:.3f} of linear, "
              f"one process has {threads / many:.3f} of the machines' rate")  # fmt: skip
    shutil.rmtree(folder)
    cluster.stop()


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[2:]]
    main(sys.argv[1], *(given + [32, 30, 3, 4][len(given) :]))
