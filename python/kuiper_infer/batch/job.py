# SPDX-License-Identifier: MIT
"""A batch job on Ray: shards that have no output yet become tasks of the cluster, one each."""

from __future__ import annotations

import functools
import hashlib
import json
import logging
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import ray

from .claims import claim, claims
from .shards import Shard
from .storage import Storage
from .tables import TableModel
from .worker import Done, Job, ModelFiles, process

SETTINGS = "_job"  # begins the names of files that say what the files beside them were made by


def connect(address: str | None) -> None:
    """Joins the Ray cluster at `address`; by default that of RAY_ADDRESS, one that runs here, or a new one."""
    # Ray gives a worker back after a task once it has had it for half a second, and finds it again only when machines
    # have told each other what is free, every tenth of a second. The driver may keep it for the next shard instead.
    os.environ.setdefault("RAY_worker_lease_timeout_milliseconds", "60000")
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False, include_dashboard=False, logging_level=logging.WARNING)


def check_settings(job: Job, pattern: str, files: ModelFiles) -> None:
    """Keeps the job's settings in its output folder. Raises ValueError if the folder belongs to another job."""
    digest = hashlib.sha256(files[0]).hexdigest() + hashlib.sha256(files[1]).hexdigest()
    settings = {
        "input": pattern,
        "model": hashlib.sha256(digest.encode()).hexdigest(),
        "map": job.columns,
        "outputs": job.outputs,
        "keep": job.keep,
        "batch_axis": job.batch_axis,
        "any_shape": job.any_shape,
        "pictures": asdict(job.pictures),
    }
    text = json.dumps(settings, indent=1).encode()
    before = claims(job.output, SETTINGS)
    _check_equal(text, before, job.output)
    if not before:
        with claim(job.output, SETTINGS, ".json", text) as others:
            _check_equal(text, others, job.output)


def _check_equal(text: bytes, others: Sequence[bytes], output: Storage) -> None:
    settings = json.loads(text)
    for other in map(json.loads, others):
        for key, value in settings.items():
            if other.get(key) != value:
                raise ValueError(
                    f"'{output.address}' belongs to another job: its {key} was {other.get(key)}, now it is {value}. "
                    "Expected the same, or another output folder"
                )


def open_shards(shards: list[Shard], output: Storage) -> list[Shard]:
    """The shards that have no output yet."""
    present = set(output.files())
    return [shard for shard in shards if shard.output not in present]


def run_shards(
    shards: Sequence[Shard],
    job: Job,
    files: ModelFiles,
    *,
    cpus: int = 1,
    workers: int | None = None,
    retries: int = 10,
) -> Iterator[Done]:
    """Makes the outputs of shards on the Ray cluster that the process is connected to, in any order.

    Each task has `cpus` CPUs, and there are at most `workers` at a time; by default as many as the cluster has room
    for, whatever joins or leaves, and as many again wait, so that no worker waits for this process. A shard whose
    worker or machine dies is begun again elsewhere, `retries` times.
    """
    settings = ray.put((job, cpus))
    model = ray.put(files)
    task = ray.remote(num_cpus=cpus, max_retries=retries)(_make_output)
    waiting = list(reversed(shards))
    running: dict[ray.ObjectRef, Shard] = {}
    limit = counted_at = 0.0
    while waiting or running:
        if time.monotonic() - counted_at > 1:  # machines come and go
            limit, counted_at = workers or 2 * _room(cpus), time.monotonic()
        while waiting and len(running) < limit:
            shard = waiting.pop()
            running[task.remote(shard, [settings], [model])] = shard
        ray.wait(list(running), num_returns=1, timeout=1)
        ready, _ = ray.wait(list(running), num_returns=len(running), timeout=0)
        for reference in ready:
            shard = running.pop(reference)
            try:
                yield ray.get(reference)
            except ray.exceptions.RayError as error:  # the task gives its own errors as texts
                yield Done(shard.output, error=f"the worker died each time: {type(error).__name__}")


def _room(cpus: int) -> int:
    """How many tasks the cluster can run at once."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)) // cpus)


def _make_output(shard: Shard, settings: list[ray.ObjectRef], model: list[ray.ObjectRef]) -> Done:
    """The work of a worker. The references come in lists, so that Ray does not fetch the model for each shard."""
    try:
        return process(shard, ray.get(settings[0])[0], _load(settings[0], model[0]))
    except Exception as error:  # one bad shard must not end the job
        return Done(shard.output, error=f"{type(error).__name__}: {error}")


@functools.lru_cache(maxsize=1)
def _load(settings: ray.ObjectRef, model: ray.ObjectRef) -> TableModel:
    """The job's model: a process loads it once and keeps it for further shards."""
    job, cpus = ray.get(settings)
    return job.table_model(job.load(ray.get(model), cpus))
