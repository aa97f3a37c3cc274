# SPDX-License-Identifier: MIT
"""A job whose processes are killed ends, maybe in a further try, with every row once."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import time

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from .helpers import read_outputs, start_job

pytest.importorskip("ray", reason="needs ray")

SHARDS, ROWS = 60, 40


@pytest.fixture
def shards(tmp_path: pathlib.Path) -> pathlib.Path:
    tensors = pa.FixedShapeTensorArray.from_numpy_ndarray(np.zeros((ROWS, 3, 96, 96), np.float32))
    (tmp_path / "in").mkdir()
    for shard in range(SHARDS):
        table = pa.table({"id": np.arange(ROWS) + shard * ROWS, "pixels": tensors})
        pq.write_table(table, tmp_path / "in" / f"{shard:03}.parquet")
    return tmp_path


def start(folder: pathlib.Path, *more: str) -> subprocess.Popen[str]:
    return start_job(str(folder / "in"), str(folder / "out"), *more)


def wait_for_outputs(folder: pathlib.Path, job: subprocess.Popen[str], count: int) -> None:
    end = time.monotonic() + 40
    while len(list((folder / "out").glob("*.parquet"))) < count:
        assert job.poll() is None and time.monotonic() < end, "the job ended or hung before it was to be killed"
        time.sleep(0.005)


def workers_of(job: subprocess.Popen[str]) -> list[int]:
    """The processes of the job's session that make outputs."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
            if os.getsid(process.pid) == job.pid and "".join(process.cmdline()).startswith("ray::_make_output"):
                found.append(process.pid)
    return found


def test_killed_driver(shards: pathlib.Path) -> None:
    job = start(shards)
    wait_for_outputs(shards, job, 5)
    os.killpg(job.pid, signal.SIGKILL)
    job.communicate(timeout=10)
    assert job.returncode == -signal.SIGKILL
    left = len(list((shards / "out").glob("*.parquet")))
    assert left < SHARDS
    job = start(shards)
    said, _ = job.communicate(timeout=40)
    assert job.returncode == 0
    rows = int(re.search(r"now (\d+) rows", said).group(1))  # type: ignore[union-attr]
    assert 0 < rows <= (SHARDS - left) * ROWS  # a worker may have finished its shard after its driver's death
    assert read_outputs(shards / "out")["id"].to_pylist() == list(range(SHARDS * ROWS))
    assert not list((shards / "out").glob("_temporary*"))


def test_killed_workers(shards: pathlib.Path) -> None:
    job = start(shards)
    killed = 0
    for outputs in (2, 10, 20):
        wait_for_outputs(shards, job, outputs)
        for pid in workers_of(job)[:1]:
            os.kill(pid, signal.SIGKILL)
            killed += 1
    job.communicate(timeout=60)
    assert job.returncode == 0
    assert killed > 0
    assert read_outputs(shards / "out")["id"].to_pylist() == list(range(SHARDS * ROWS))


def test_a_shard_that_kills_its_workers_does_not_hold_the_job(tmp_path: pathlib.Path) -> None:
    """It is tried as often as asked and then told; here the test is what kills them."""
    tensors = pa.FixedShapeTensorArray.from_numpy_ndarray(np.zeros((2000, 3, 96, 96), np.float32))
    (tmp_path / "in").mkdir()
    pq.write_table(pa.table({"id": np.arange(2000), "pixels": tensors}), tmp_path / "in" / "bad.parquet")
    job = start(tmp_path, "--retries", "1", "--rows-per-call", "1")
    killed: set[int] = set()
    end = time.monotonic() + 50
    while job.poll() is None:
        assert time.monotonic() < end
        for pid in set(workers_of(job)) - killed:
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
        time.sleep(0.005)
    said, _ = job.communicate()
    assert job.returncode == 1
    assert len(killed) == 2
    assert "0 of 1 shards done" in said
