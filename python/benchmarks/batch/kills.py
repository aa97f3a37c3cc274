# SPDX-License-Identifier: MIT
"""Kills workers, a machine's raylet and the driver of batch jobs at random, and checks the results.

Jobs follow each other until the number of kills is reached. A job is started again until it ends by itself; its
outputs then have to hold every row once.

    python kills.py MODEL.pnnx.param [kills] [seed]
"""

from __future__ import annotations

import collections
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import pyarrow.parquet as pq
from local_cluster import LocalCluster, make_inputs, workers

SHARDS, ROWS = 150, 24


def start(folder: pathlib.Path, job: int, param: str, address: str) -> subprocess.Popen[bytes]:
    arguments = ["--input", str(folder / "in"), "--output", str(folder / f"out{job}"), "--param", param]
    return subprocess.Popen(
        [sys.executable, "-m", "kuiper_infer.batch", *arguments, "--address", address, "--retries", "50"]
        + ["--map", "pixels=pnnx_input_0"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def check(folder: pathlib.Path) -> None:
    """Checks that every shard has one output with every row once, in order."""
    names = sorted(path.name for path in folder.glob("*.parquet") if path.name[0] != "_")
    assert names == [f"{shard:05}.parquet" for shard in range(SHARDS)], names
    for name in names:
        assert pq.read_table(folder / name, columns=["id"])["id"].to_pylist() == list(range(ROWS)), name
    assert not list(folder.glob("_temporary*"))
    assert not (folder / "_failed").exists()


def main(param: str, kills: int, seed: int) -> None:
    print(f"seed {seed}, {SHARDS} shards of {ROWS} rows, load {os.getloadavg()}", flush=True)
    dice = random.Random(seed)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kills"))
    make_inputs(folder / "in", param, SHARDS, ROWS)
    cluster = LocalCluster(range(2))
    made: collections.Counter[str] = collections.Counter()
    begun, job = time.monotonic(), 0
    driver = start(folder, job, param, cluster.address)
    while True:
        time.sleep(dice.uniform(0, 2))
        if driver.poll() is not None:
            assert driver.returncode == 0, f"the job ended with {driver.returncode}"
            check(folder / f"out{job}")
            print(f"job {job} is complete after {dict(made)} and {time.monotonic() - begun:.0f} s", flush=True)
            if sum(made.values()) >= kills:
                break
            job += 1
            driver = start(folder, job, param, cluster.address)
        elif sum(made.values()) < kills:
            victim = dice.choices(["worker", "raylet", "driver"], [6, 2, 2])[0]
            if victim == "worker":
                running = workers()
                if not running:
                    continue
                os.kill(dice.choice(running), signal.SIGKILL)
            elif victim == "raylet":
                cluster.kill_machine(dice.randrange(2))
            else:
                driver.kill()
                driver.wait()
                driver = start(folder, job, param, cluster.address)
            made[victim] += 1
    cluster.stop()
    print(f"{sum(made.values())} kills: {dict(made)}; {job + 1} jobs complete, no row twice")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100, int(sys.argv[3]) if len(sys.argv) > 3 else 0)
