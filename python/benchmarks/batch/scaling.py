# SPDX-License-Identifier: MIT
"""Measures rows per second of a cluster of one machine with one CPU, of a cluster of several such machines, and of
one process with as many threads.

The clusters' machines are raylets on this machine, each with a core of its own; the driver of the job and the head of
Ray share these cores. Rates are taken from the middle of a job: after a third of its shards, because workers start at
different times, and before the last ones, for which some workers are idle. Rounds alternate, so that other load on
the machine affects all alike. The program prints the medians.

    python scaling.py MODEL.pnnx.param [rows a shard] [shards a CPU] [rounds] [rows a call]
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

from local_cluster import LocalCluster, make_inputs, make_job, processor_seconds

from kuiper_infer import Model
from kuiper_infer.batch.job import connect, run_shards
from kuiper_infer.batch.worker import Done, process


class Rate(NamedTuple):
    """Rows per second while all workers were busy, and per second of CPU time of all processes including Ray's."""

    a_second: float
    a_processor_second: float


def rate(done: Iterable[Done], shards: int, workers: int) -> Rate:
    """Returns the slope of the line through the moments at which the middle shards ended; workers may end shards
    together."""
    moments: list[tuple[float, float, int]] = []
    rows = 0
    for one in done:
        assert not one.error, one.error
        rows += one.rows
        moments.append((time.monotonic(), processor_seconds(), rows))
    assert len(moments) == shards
    times, used, counts = zip(*moments[shards // 3 : -workers], strict=True)
    return Rate(statistics.linear_regression(times, counts).slope, statistics.linear_regression(used, counts).slope)


def cluster_rate(source: pathlib.Path, param: str, machines: int, shards_a_cpu: int, rows_per_call: int) -> Rate:
    """Measures a cluster of machines with a core each. This has to be the first work of its process, because the
    threads that it starts stay on those cores."""
    cores = sorted(os.sched_getaffinity(0))[:machines]
    os.sched_setaffinity(0, cores)
    with tempfile.TemporaryDirectory(prefix="scaling") as output:
        shards, job, files = make_job(source, pathlib.Path(output), param)
        job = dataclasses.replace(job, rows_per_call=rows_per_call)
        shards = shards[: shards_a_cpu * machines]
        cluster = LocalCluster(cores)
        connect(cluster.address)
        try:
            return rate(run_shards(shards, job, files), len(shards), machines)
        finally:
            cluster.stop()


def process_rate(source: pathlib.Path, param: str, threads: int, shards: int, rows_per_call: int) -> Rate:
    """Measures one process with several threads, without Ray."""
    with tempfile.TemporaryDirectory(prefix="scaling") as output:
        found, job, files = make_job(source, pathlib.Path(output), param)
        job = dataclasses.replace(job, rows_per_call=rows_per_call)
        model = job.table_model(Model(*files, threads=threads))
        return rate((process(shard, job, model) for shard in found[:shards]), shards, 1)


def main(param: str, rows: int, shards_a_cpu: int, rounds: int, rows_per_call: int) -> None:
    cpus = len(os.sched_getaffinity(0))
    ways: dict[str, tuple] = {
        "one machine of one CPU": (cluster_rate, 1),
        f"{cpus} machines of one CPU": (cluster_rate, cpus),
        f"one process of {cpus} threads": (process_rate, cpus),
    }
    rates: dict[str, list[Rate]] = {name: [] for name in ways}
    with tempfile.TemporaryDirectory(prefix="scaling") as folder:
        source = pathlib.Path(folder) / "in"
        make_inputs(source, param, shards_a_cpu * cpus, rows)
        for _ in range(rounds):
            for name, (way, count) in ways.items():
                load = os.getloadavg()[0]
                with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
                    found = fresh.submit(way, source, param, count, shards_a_cpu, rows_per_call).result()
                rates[name].append(found)
                print(f"{name}: {found.a_second:.1f} rows/s, {found.a_processor_second:.1f} rows by processor second "
                      f"(load before it {load:.1f})", flush=True)  # fmt: skip
    for field in Rate._fields:
        one, many, threads = (statistics.median(getattr(found, field) for found in way) for way in rates.values())
        linear = many / one / (cpus if field == "a_second" else 1)
        print(f"rows {field.replace('_', ' ')}: medians {one:.1f}, {many:.1f}, {threads:.1f}; {linear:.3f} of linear, "
              f"one process has {threads / many:.3f} of the machines' rate")  # fmt: skip


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[2:]]
    main(sys.argv[1], *(given + [32, 30, 3, 4][len(given) :]))
