# SPDX-License-Identifier: MIT
"""Measures the cost of resuming: a job in one go, the same job again, and a job whose driver is killed half-way.

python resume.py MODEL.pnnx.param [rows a shard] [shards]
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile
import time

from local_cluster import make_inputs


def start(folder: pathlib.Path, output: str, param: str) -> subprocess.Popen[bytes]:
    arguments = [
        "--input",
        str(folder / "in"),
        "--output",
        str(folder / output),
        "--param",
        param,
        "--address",
        "local",
    ]
    return subprocess.Popen(
        [sys.executable, "-m", "kuiper_infer.batch", *arguments, "--map", "pixels=pnnx_input_0"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def seconds_of(folder: pathlib.Path, output: str, param: str) -> float:
    begun = time.monotonic()
    assert start(folder, output, param).wait() == 0
    return time.monotonic() - begun


def main(param: str, rows: int, shards: int) -> None:
    folder = pathlib.Path(tempfile.mkdtemp(prefix="resume"))
    make_inputs(folder / "in", param, shards, rows)
    print(f"{shards} shards of {rows} rows, load {os.getloadavg()}", flush=True)
    full = seconds_of(folder, "whole", param)
    again = seconds_of(folder, "whole", param)
    print(
        f"in one go {full:.1f} s; the same once more, nothing left to do: {again:.2f} s, {again / full:.1%}", flush=True
    )

    begun = time.monotonic()
    job = start(folder, "halves", param)
    while len(list((folder / "halves").glob("*.parquet"))) < shards / 2:
        time.sleep(0.02)
    job.kill()
    job.wait()
    killed = time.monotonic() - begun
    rest = seconds_of(folder, "halves", param)
    print(f"killed after {killed:.1f} s, {rest:.1f} s for the rest: {(killed + rest) / full - 1:+.1%} of a full run")


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[2:]]
    main(sys.argv[1], *(given + [32, 400][len(given) :]))
