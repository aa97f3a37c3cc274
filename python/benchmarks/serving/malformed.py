# SPDX-License-Identifier: MIT
"""Sends 10,000 malformed requests, half over HTTP and half over gRPC, while other clients ask rightly.

Prints how many of each kind got a right status, and what the other clients saw. The generators are the tests' own.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[2] / "python" / "tests"))

from serve import models
from serve.grpc_malformed import malformed_calls
from serve.http_malformed import malformed_requests, send
from serve.running_service import Service

THREADS = 4  # for each protocol


def main() -> int:
    """Sends and counts; the exit status is 0 where each answer was right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000)
    given = parser.parse_args()
    share = given.requests // (2 * THREADS)
    sent: Counter[str] = Counter()
    wrong: list[str] = []
    others: Counter[bool] = Counter()
    ended = threading.Event()
    with TemporaryDirectory() as name:
        folder = Path(name)
        models.write(folder / "models" / "affine" / "1", models.AFFINE, "[batching]\nmax_size = 8\n")
        service = Service(folder / "models", folder / "log", "--max-request-bytes", "1000000")
        service.wait(service.ready)
        host, port = service.http.split(":")

        def over_http(seed: int) -> None:
            for kind, expected, request in malformed_requests(random.Random(seed), share, "affine"):
                status = send(host, int(port), request, ends=None in expected)
                sent["http " + kind] += 1
                if status not in expected:
                    wrong.append(f"http, seed {seed}: {kind} gave {status}, expected {expected}")

        def over_grpc(seed: int) -> None:
            for kind, expected, status in malformed_calls(service.grpc, random.Random(seed), share, "affine"):
                sent["grpc " + kind] += 1
                if status not in expected:
                    wrong.append(f"grpc, seed {seed}: {kind} gave {status}, expected {expected}")

        def rightly(number: int) -> None:
            while not ended.is_set():
                number += 2
                answer = service.infer("affine", [[number % 1000, 2, 3]])
                right = answer.status_code == 200
                others[right and answer.json()["outputs"][0]["data"] == [number % 1000 * 2 + 1, 5, 7]] += 1
                time.sleep(0.01)

        with ThreadPoolExecutor(2 * THREADS + 2) as threads:
            right = [threads.submit(rightly, number) for number in range(2)]
            tasks = [threads.submit(over_http, seed) for seed in range(THREADS)]
            tasks += [threads.submit(over_grpc, seed) for seed in range(THREADS)]
            for task in tasks:
                task.result()
            ended.set()
            for task in right:
                task.result()
        ready = service.ready()
        status = service.end()
        log = (folder / "log").read_text()
    for kind, count in sorted(sent.items()):
        print(f"{count:6} {kind}")
    print(f"{sum(sent.values())} malformed requests, {len(wrong)} answered wrongly")
    print(f"other clients: {others[True]} right answers, {others[False]} wrong ones")
    print(f"ready afterwards: {ready}, exit status {status}, traces in the log: {log.count('Traceback')}")
    print(log[log.index("Traceback") - 200 :][:3000] if "Traceback" in log else "")
    print("\n".join(wrong[:20]))
    return 0 if not wrong and not others[False] and ready and status == 0 and "Traceback" not in log else 1


if __name__ == "__main__":
    sys.exit(main())
