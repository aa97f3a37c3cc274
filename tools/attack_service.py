#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Starts a service on the loopback interface, attacks it, and checks that well-behaved clients are still served.

    build-python/venv/bin/python tools/attack_service.py [--seconds 60] [--seed 1]

It needs an interpreter that has the package with the extra `serve`. The attacks are in python/tests/serve/attacks.py: malformed
requests over HTTP, gRPC and to OpenAI's paths, silent connections, heads and bodies that trickle, clients that leave before their
answer or don't read it, long JSON, repeated outputs, reloads, pipes and /dev/zero in the folder of models. At the same time one
client over HTTP and one over gRPC send correct requests, one asks for health, and the service's memory is watched.

Exit status: 0 if each answer was right, no good client waited for longer than --max-wait, the memory grew by at most --max-memory,
and the service ended as it should; 1 otherwise.
"""

import argparse
import contextlib
import multiprocessing
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python" / "tests"))

import numpy as np
import tiny_decoder
from serve import models
from serve.attacks import ATTACKS, BODY_SECONDS, WIDE, Trial
from serve.good_clients import ask_rightly, grpc_client, health_client, http_client, keep_barrier
from serve.running_service import Service

MIB = 1 << 20

# The malformed requests expect a model whose limit is a million bytes.
AFFINE = "[batching]\nmax_size = 8\n[limits]\nmax_request_bytes = 1000000\nmax_json_bytes = 1000000\n"


def main() -> int:
    """Attacks, and prints the outcome."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="how long to attack")
    parser.add_argument("--seed", type=int, default=1, help="seed of the malformed requests")
    parser.add_argument("--max-wait", type=float, default=10, help="seconds that a good client may wait for an answer")
    parser.add_argument("--max-memory", type=int, default=1500, help="MiB that attacks may add to the service")
    names = [attack.__name__ for attack in ATTACKS]
    parser.add_argument("--attacks", nargs="+", choices=names, default=names, help="the attacks, which run at the same time")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as leaving:
        folder = Path(name) / "models"
        models.write(folder / "affine" / "1", models.AFFINE, AFFINE)
        models.write(folder / "slow" / "1", models.slow(expanded=True), "workers = 1\nthreads = 1\n")
        models.write(folder / "wide" / "1", models.AFFINE.replace("(1,3)", f"(1,{WIDE})"), "workers = 1\n")
        models.write(folder / "changing" / "1", models.AFFINE)
        tiny_decoder.write(folder / "small" / "1", "threads = 1\n")
        limits = ("--head-seconds", "3", "--body-seconds", str(BODY_SECONDS), "--grace-seconds", "20")
        service = Service(folder, Path(name) / "log", *limits)
        leaving.callback(service.process.kill)
        service.wait(service.ready)
        before = memory(service)
        good = {"HTTP": http_client, "gRPC": grpc_client, "health": health_client}
        peak = [before]
        # Good clients are processes of their own: the attackers share one interpreter and wait for each other.
        context = multiprocessing.get_context("spawn")
        started = context.Barrier(len(good) + 1)
        with (
            ThreadPoolExecutor(len(ATTACKS) + 1) as threads,
            ProcessPoolExecutor(len(good), context, keep_barrier, (started,)) as processes,
        ):
            addresses = service.http, service.grpc
            clients = {c: processes.submit(ask_rightly, make, *addresses, given.seconds) for c, make in good.items()}
            started.wait(120)
            trial = Trial(service, folder, given.seconds)
            threads.submit(watch_memory, trial, peak)
            for attack in (attack for attack in ATTACKS if attack.__name__ in given.attacks):
                threads.submit(trial.attack, attack, given.seed)
            results = {client: task.result() for client, task in clients.items()}
        time.sleep(1)
        after = memory(service)
        trial.expect(service.infer("changing", [[1, 0, 0]]).status_code == 200, "the model that was reloaded is gone")
        begun = time.monotonic()
        status = service.end()
        trial.expect(status == 0, f"the service ended with {status}")
        log = service.log.read_text()
    trial.expect("Traceback" not in log, f"the log has a trace: {log[log.find('Traceback') - 200:][:2000]}")
    trial.expect((peak[0] - before) / MIB <= given.max_memory, "the memory grew beyond --max-memory")
    for what, count in sorted(trial.counts.items()):
        print(f"{count:8} {what}")
    for client, (seconds, wrong) in results.items():
        for said in wrong:
            trial.expect(False, f"{client}: {said}")
        trial.expect(bool(seconds) and max(seconds) <= given.max_wait, f"{client}: an answer took longer than --max-wait")
        p50, p99, most = np.percentile(seconds or [0], (50, 99, 100)) * 1000
        print(f"{len(seconds):8} right answers, {client}: median {p50:.0f} ms, p99 {p99:.0f} ms, longest {most:.0f} ms")
    print(f"memory: {before / MIB:.0f} MiB before, {peak[0] / MIB:.0f} at most, {after / MIB:.0f} afterwards")
    print(f"the service ended with {status} after {time.monotonic() - begun:.1f} s")
    print("\n".join(trial.wrong[:20]), f"{len(trial.wrong)} things were wrong", sep="\n")
    return 1 if trial.wrong else 0


def memory(service: Service) -> int:
    """Returns the service's resident memory in bytes."""
    pages = int(Path(f"/proc/{service.process.pid}/statm").read_text().split()[1])
    return pages * 4096


def watch_memory(trial: Trial, peak: list[int]) -> None:
    """Records the largest resident memory of the service."""
    while trial.goes_on:
        peak[0] = max(peak[0], memory(trial.service))
        time.sleep(0.05)


if __name__ == "__main__":
    sys.exit(main())
