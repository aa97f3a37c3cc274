#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Starts a service on the loopback interface and sends it requests to OpenAI's paths from a grammar, mutated.

    build-python/venv/bin/python tools/fuzz_service.py [--count 10000] [--seconds 600] [--seed 1] [--first 0]

It needs an interpreter that has the package with the extras `serve` and `guided`. The requests are in
python/tests/serve/request_fuzz.py: chats with tools and schemas, completions of texts and tokens, and embeddings. Each answer has
to be JSON or a stream of JSON with a status of 2xx or 4xx; good requests between them have to be answered. A finding names the
seed and the number of the request: `--seed SEED --first NUMBER --count 1` repeats it.

Exit status: 0 if there was no finding, 1 otherwise.
"""

import argparse
import collections
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python" / "tests"))

import tiny_decoder
from serve import request_fuzz
from serve.encoders import TOKENS, write_encoder
from serve.running_service import Service

CLIENTS = 4
BETWEEN = 50  # requests of a client between two good ones


def main() -> int:
    """Sends the requests, and prints what came of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000, help="how many requests")
    parser.add_argument("--seconds", type=float, default=600, help="when to end at the latest")
    parser.add_argument("--seed", type=int, default=1, help="seed of the requests")
    parser.add_argument("--first", type=int, default=0, help="number of the first request")
    given = parser.parse_args()
    end = time.monotonic() + given.seconds
    statuses: collections.Counter[str] = collections.Counter()
    findings: list[str] = []

    def send(address: str, client: int) -> None:
        for number in range(given.first + client, given.first + given.count, CLIENTS):
            if time.monotonic() > end or len(findings) >= 20:
                return
            sent = request_fuzz.request(given.seed, number)
            status, wrong = request_fuzz.ask(address, sent)
            statuses[f"{sent.path} {status}"] += 1
            if wrong is None and number // CLIENTS % BETWEEN == 0:
                wrong = request_fuzz.good(address)
            if wrong is not None:
                findings.append(f"seed {given.seed}, request {number} to {sent.path}: {wrong}\n    {sent.body[:1000]!r}")

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "models"
        tiny_decoder.write(folder / request_fuzz.GENERATING / "1", "threads = 1\n[generation]\nmax_tokens = 12\n")
        write_encoder(folder / request_fuzz.ENCODING / "1", TOKENS)
        service = Service(folder, Path(name) / "log", "--ready", "all")
        try:
            service.wait(service.ready)
            with ThreadPoolExecutor(CLIENTS) as clients:
                for task in [clients.submit(send, service.http, client) for client in range(CLIENTS)]:
                    task.result()
            wrong = request_fuzz.good(service.http)
            if wrong is not None:
                findings.append(f"at the end, {wrong}")
            status = service.end()
            if status != 0:
                findings.append(f"the service ended with {status}")
        finally:
            service.process.kill()
        log = service.log.read_text()
    if "Traceback" in log:
        findings.append(f"the log has a trace: {log[max(log.find('Traceback') - 500, 0):][:3000]}")
    for what, count in sorted(statuses.items()):
        print(f"{count:8} {what}")
    print(*findings, f"{sum(statuses.values())} requests, {len(findings)} findings", sep="\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
