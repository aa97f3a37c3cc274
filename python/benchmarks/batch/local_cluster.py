# SPDX-License-Identifier: MIT
"""The parts that measurements of batch jobs share: shards of rows, and a Ray cluster whose machines are processes
here."""

from __future__ import annotations

import contextlib
import os
import pathlib
import signal
from collections.abc import Sequence
from typing import Any

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import ray
from ray.cluster_utils import Cluster

from kuiper_infer import Model
from kuiper_infer.batch.inputs import find_inputs
from kuiper_infer.batch.shards import Shard, make_shards
from kuiper_infer.batch.storage import Storage
from kuiper_infer.batch.worker import Job, ModelFiles


def make_inputs(folder: pathlib.Path, param: str, shards: int, rows: int) -> None:
    """Writes Parquet files of random rows for the model's first input: the same contents under many names."""
    folder.mkdir(parents=True)
    (info,) = Model(param).inputs
    pixels = np.random.default_rng(0).random((rows, *(info.shape or ())[1:]), np.float32)
    tensors = pa.FixedShapeTensorArray.from_numpy_ndarray(pixels)
    pq.write_table(pa.table({"id": np.arange(rows), "pixels": tensors}), folder / "00000.parquet")
    for shard in range(1, shards):
        os.link(folder / "00000.parquet", folder / f"{shard:05}.parquet")


def make_job(source: pathlib.Path, target: pathlib.Path, param: str) -> tuple[list[Shard], Job, ModelFiles]:
    """Returns the parts of a job, made as kuiper-batch makes them."""
    files = (pathlib.Path(param).read_bytes(), pathlib.Path(param).with_suffix(".bin").read_bytes())
    (info,) = Model(*files).inputs
    output = Storage(str(target))
    storage, names = find_inputs(str(source), output)
    return make_shards(names, output, 256), Job(storage, output, {"pixels": info.name}, {}), files


class LocalCluster:
    """A head without CPUs, and a machine of one CPU for each of `cores`. Machines are processes that can be killed."""

    def __init__(self, cores: Sequence[int]) -> None:
        self.cluster = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False}, shutdown_at_exit=True
        )
        self._cores = cores
        self.machines = [self._start(core) for core in cores]

    @property
    def address(self) -> str:
        return str(self.cluster.address)

    def _start(self, core: int) -> Any:
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, [core])  # the machine's processes inherit it
        try:
            return self.cluster.add_node(num_cpus=1)
        finally:
            os.sched_setaffinity(0, before)

    def kill_machine(self, number: int) -> None:
        """Kills a machine's raylet, which ends its workers. A new machine joins."""
        raylet = self.machines[number].all_processes["raylet"][0].process
        os.kill(raylet.pid, signal.SIGKILL)
        self.cluster.remove_node(self.machines[number], allow_graceful=False)
        self.machines[number] = self._start(self._cores[number])

    def stop(self) -> None:
        ray.shutdown()
        self.cluster.shutdown()


def _processes() -> list[psutil.Process]:
    """Returns this process and its living descendants."""
    this = psutil.Process()
    return [this, *this.children(recursive=True)]


def processor_seconds() -> float:
    """Returns the CPU time that this process and its living descendants have used."""
    seconds = 0.0
    for process in _processes():
        with contextlib.suppress(psutil.NoSuchProcess):
            used = process.cpu_times()
            seconds += used.user + used.system
    return seconds


def workers() -> list[int]:
    """Returns the processes of this cluster that make outputs of a job at this moment."""
    found = []
    for process in _processes():
        with contextlib.suppress(psutil.NoSuchProcess):
            if "".join(process.cmdline()).startswith("ray::_make_output"):
                found.append(process.pid)
    return found
