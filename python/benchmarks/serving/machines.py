# SPDX-License-Identifier: MIT
"""Asks one and two machines of Ray Serve for chats, as generation.py asks a server, and prints tokens per second.

The machines are raylets of this computer, each on a core of its own, with a replica of one thread. Ray's head, its
proxy and the users have no core of their own and take from the machines' what they need.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path

import ray
from generation import measure
from ray import serve

from kuiper_infer.serve.ray import deployment

sys.path.append(str(Path(__file__).parents[1] / "batch"))
from local_cluster import LocalCluster


def main() -> None:
    """Reads the command line and measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", required=True, type=Path, help="the folder of models")
    parser.add_argument("--model", required=True, help="the model's name")
    parser.add_argument("--port", type=int, default=8123)
    parser.add_argument("--users", type=int, default=8, help="for each machine")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--tokens", type=int, default=64, help="the most tokens of an answer")
    given = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    for machines in (1, 2):
        cluster = LocalCluster(cores[:machines])
        ray.init(cluster.address, log_to_driver=False, logging_level="error")
        try:
            serve.start(http_options={"host": "127.0.0.1", "port": given.port})
            serve.run(deployment.options(num_replicas=machines).bind({"models": str(given.models.resolve())}))
            print(f"machines: {machines}", flush=True)
            url = f"http://127.0.0.1:{given.port}/openai/v1"
            asyncio.run(measure(url, given.model, given.users * machines, given.seconds, given.tokens))
            serve.shutdown()
        finally:
            cluster.stop()


if __name__ == "__main__":
    main()
