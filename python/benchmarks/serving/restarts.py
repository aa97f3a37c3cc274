# SPDX-License-Identifier: MIT
"""Restarts a service under load and counts what was lost or answered twice. Needs tritonclient, not kserve.

Clients over gRPC and HTTP send numbers, each number once. They send a number again only if the service has refused it
(UNAVAILABLE, CANCELLED, 503, or the connection closed without an answer). The service's log tells how many requests
it has answered; the clients must have got as many answers.
"""

from __future__ import annotations

import argparse
import random
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import tritonclient.grpc as grpc_client
import tritonclient.http as http_client

MODEL = """7767517
3 2
pnnx.Input x 0 1 0 #0=(1,3)f32
pnnx.Expression affine 1 1 0 1 expr=add(mul(@0,2.0),1.0) #0=(1,3)f32 #1=(1,3)f32
pnnx.Output y 1 0 1 #1=(1,3)f32
"""


class Load:
    """Clients that send numbers until they are told to stop."""

    def __init__(self, clients: int, http: str, grpc: str) -> None:
        self.answers: Counter[int] = Counter()
        self.refused: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._stop = threading.Event()
        self._lock = threading.Lock()
        kinds = [(grpc_client, grpc), (http_client, http)]
        self._threads = [
            threading.Thread(target=self._client, args=(*kinds[n % 2], n, clients), daemon=True) for n in range(clients)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Returns when each client has its last answer."""
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _client(self, module, url: str, number: int, step: int) -> None:
        client = module.InferenceServerClient(url)
        while not self._stop.is_set():
            x = np.array([[number % 4093, number // 4093, 0.5]], np.float32)
            tensor = module.InferInput("x", x.shape, "FP32")
            tensor.set_data_from_numpy(x)
            while True:
                try:
                    answer = client.infer("affine", [tensor], request_id=str(number))
                    break
                except Exception as error:  # judged below
                    if not self._is_refusal(error):
                        with self._lock:
                            self.wrong.append(f"number {number}: {type(error).__name__} {error}")
                        return
                    time.sleep(0.02)
                    client = module.InferenceServerClient(url)
            head = answer.get_response()
            name = head.id if module is grpc_client else head["id"]
            if name != str(number) or not np.array_equal(answer.as_numpy("y"), x * 2 + 1):
                with self._lock:
                    self.wrong.append(f"number {number}: got {name}, {answer.as_numpy('y')}")
            with self._lock:
                self.answers[number] += 1
            number += step

    def _is_refusal(self, error: Exception) -> bool:
        text = f"{type(error).__name__} {error}"
        kind = text.split("]")[0] if "[" in text else type(error).__name__
        with self._lock:
            self.refused[kind] += 1
        # gRPC answers CANCELLED to a call that arrives while its server is closing, before the service sees it.
        words = ("UNAVAILABLE", "CANCELLED", "[503]", "HTTPConnectionClosed")
        return any(word in text for word in words) or isinstance(error, OSError)


def start(python: str, folder: Path, http: int, grpc: int, log: Path) -> subprocess.Popen:
    """Starts a service and waits until it accepts requests."""
    command = [python, "-m", "kuiper_infer.serve", "--models", str(folder), "--poll-seconds", "0.1"]
    command += ["--http-port", str(http), "--grpc-port", str(grpc)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log.open("a"), text=True)
    if not process.stdout.readline():
        raise RuntimeError(f"the service did not start; see {log}")
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{http}/v2/health/ready", timeout=10):
                return process
        except urllib.error.HTTPError:  # not ready yet
            time.sleep(0.02)


def main() -> int:
    """Restarts and counts; the exit status is 0 if nothing was lost, wrong or answered twice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--service-python", required=True, help="interpreter that has kuiper_infer[serve]")
    parser.add_argument("--folder", type=Path, required=True, help="for the model and the log; made anew")
    parser.add_argument("--restarts", type=int, default=100)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--http-port", type=int, default=18190)
    parser.add_argument("--grpc-port", type=int, default=18191)
    given = parser.parse_args()
    version = given.folder / "models" / "affine" / "1"
    version.mkdir(parents=True)
    (version / "model.pnnx.param").write_text(MODEL)
    (version / "config.toml").write_text("[batching]\nmax_size = 4\n")
    zipfile.ZipFile(version / "model.pnnx.bin", "w").close()
    log = given.folder / "log"

    ports = given.http_port, given.grpc_port
    random_ = random.Random(0)
    process = start(given.service_python, given.folder / "models", *ports, log)
    load = Load(given.clients, f"127.0.0.1:{ports[0]}", f"127.0.0.1:{ports[1]}")
    statuses: Counter[int] = Counter()
    for number in range(given.restarts + 1):
        time.sleep(random_.uniform(0.2, 0.8))
        if number == given.restarts:
            load.stop()
        process.send_signal(signal.SIGTERM)
        statuses[process.wait(60)] += 1
        if number < given.restarts:
            process = start(given.service_python, given.folder / "models", *ports, log)
    told = sum(int(count) for count in re.findall(r"ended: (\d+) inference requests", log.read_text()))
    got = sum(load.answers.values())
    twice = sum(1 for count in load.answers.values() if count > 1)
    print(f"restarts {given.restarts}, exit statuses {dict(statuses)}")
    print(f"answered by the services {told}, received {got}, lost {told - got}, twice {twice}, wrong {len(load.wrong)}")
    print(f"refusals, sent again: {dict(load.refused)}")
    print("\n".join(load.wrong[:10]))
    return 0 if told == got and not twice and not load.wrong and set(statuses) == {0} else 1


if __name__ == "__main__":
    sys.exit(main())
