# SPDX-License-Identifier: MIT
"""A running service, as a process of its own on free ports of the loopback."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx


class Service:
    """A running service."""

    def __init__(self, folder: Path, log: Path, *options: str) -> None:
        self.folder = folder
        self.log = log
        command = [sys.executable, "-m", "kuiper_infer.serve", "--models", str(folder), "--http-port", "0"]
        command += ["--grpc-port", "0", "--poll-seconds", "0.1", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log.open("a"), text=True)
        assert self.process.stdout is not None
        words = self.process.stdout.readline().split()  # kuiper-serve: http ADDRESS grpc ADDRESS
        assert words, f"the service did not start: {log.read_text()}"
        self.http, self.grpc = words[2], words[4]
        self.url = f"http://{self.http}"

    def wait(self, happened: Callable[[], bool], seconds: float = 120.0) -> None:
        """Waits until something has happened, and fails where it does not."""
        end = time.monotonic() + seconds
        while not happened():
            assert time.monotonic() < end, f"waited {seconds} s in vain; the log:\n{self.log.read_text()}"
            time.sleep(0.02)

    def ready(self) -> bool:
        """What the service says about itself."""
        return httpx.get(f"{self.url}/v2/health/ready").status_code == 200

    def infer(self, model: str, rows: list[list[float]], **parameters: object) -> httpx.Response:
        """Asks a model with one FP32 input 'x'."""
        data = [value for row in rows for value in row]
        tensor = {"name": "x", "shape": [len(rows), len(rows[0])], "datatype": "FP32", "data": data}
        body = {"inputs": [tensor], **({"parameters": parameters} if parameters else {})}
        return httpx.post(f"{self.url}/v2/models/{model}/infer", json=body, timeout=120)

    def metric(self, name: str, **labels: str) -> float:
        """The sum of a metric's samples that have these labels."""
        wanted = [f'{key}="{value}"' for key, value in labels.items()]
        lines = httpx.get(f"{self.url}/metrics").text.splitlines()
        return sum(
            float(line.rsplit(" ", 1)[1])
            for line in lines
            if line.startswith((name + "{", name + " ")) and all(label in line for label in wanted)
        )

    def end(self, seconds: float = 120.0) -> int:
        """Asks the service to end and returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


@contextlib.contextmanager
def serving(folder: Path, *options: str) -> Iterator[Service]:
    """A service over `folder / "models"` that is ready. It has to end as it should, without a traceback in its log."""
    service = Service(folder / "models", folder / "log", *options)
    service.wait(service.ready)
    yield service
    assert service.end() == 0
    assert "Traceback" not in service.log.read_text()


Start = Callable[..., Service]
