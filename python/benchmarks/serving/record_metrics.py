# SPDX-License-Identifier: MIT
"""Puts a service under the load of 1, 4 and 16 clients and records its /metrics, for plot_metrics.py.

The model is three products by 4096x4096 whose requests may run together, up to eight. The script starts the service
by its own interpreter, which needs kuiper_infer[serve].
"""

from __future__ import annotations

import argparse
import http.client
import json
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import zipfile
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from prometheus_client.parser import text_string_to_metric_families

WIDTH = 4096
PHASES = ("decode", "queue", "run", "encode")
CLIENTS = (1, 4, 16)


def write_model(folder: Path) -> None:
    """Writes the network with random weights as version 1 of the model `products`."""
    version = folder / "products" / "1"
    version.mkdir(parents=True)
    shapes = [f"#{k}=(?,{WIDTH})f32" for k in range(4)]
    lines = [f"pnnx.Input x 0 1 0 {shapes[0]}"]
    for k in range(3):
        sizes = f"bias=False in_features={WIDTH} out_features={WIDTH} @weight=({WIDTH},{WIDTH})f32"
        lines.append(f"nn.Linear product{k} 1 1 {k} {k + 1} {sizes} {shapes[k]} {shapes[k + 1]}")
    lines.append(f"pnnx.Output y 1 0 3 {shapes[3]}")
    text = f"7767517\n{len(lines)} 4\n" + "\n".join(lines) + "\n"
    (version / "model.pnnx.param").write_text(text)
    random = np.random.default_rng(1)
    with zipfile.ZipFile(version / "model.pnnx.bin", "w") as archive:
        for k in range(3):
            weight = random.standard_normal((WIDTH, WIDTH), np.float32) / WIDTH**0.5
            archive.writestr(f"product{k}.weight", weight.tobytes())
    (version / "config.toml").write_text("[batching]\nmax_size = 8\n")


def free_port() -> int:
    """Returns a port that nobody uses at the moment."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until_ready(port: int, process: subprocess.Popen) -> None:
    """Returns when the model answers, after a minute at most."""
    for _ in range(600):
        if process.poll() is not None:
            raise RuntimeError(f"the service ended with {process.returncode}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/v2/models/products/ready", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError("the service did not start within a minute")


def ask(port: int, stop: threading.Event) -> None:
    """Sends one request after the other."""
    array = np.ones((1, WIDTH), np.float32).tobytes()
    tensor = {"name": "x", "shape": [1, WIDTH], "datatype": "FP32", "parameters": {"binary_data_size": len(array)}}
    head = json.dumps({"inputs": [tensor], "parameters": {"binary_data_output": True}}).encode()
    headers = {"Inference-Header-Content-Length": str(len(head)), "Content-Type": "application/octet-stream"}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    while not stop.is_set():
        connection.request("POST", "/v2/models/products/infer", head + array, headers)
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{answer.status}: {body[:200]!r}")


def read(port: int) -> dict[str, float]:
    """Returns the samples of the model; samples of phases have the phase in their names."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    found: dict[str, float] = defaultdict(float)
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.labels.get("model") == "products" and "le" not in sample.labels:
                found[sample.name + sample.labels.get("phase", "")] += sample.value
    return found


class Recorder:
    """Reads the metrics at equal distances and keeps what happened between two readings."""

    def __init__(self, port: int, every: float) -> None:
        self.port, self.every = port, every
        self.times: list[float] = []
        self.series: dict[str, list[float]] = defaultdict(list)
        self.begun = self.last_time = time.monotonic()
        self.last = read(port)

    def record(self, seconds: float) -> None:
        """Records for that number of seconds."""
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            time.sleep(max(0.0, self.last_time + self.every - now))
            self._add(time.monotonic(), read(self.port))

    def _add(self, now: float, values: dict[str, float]) -> None:
        new = {name: value - self.last.get(name, 0) for name, value in values.items()}
        self.times.append(round(now - self.begun, 2))
        batches = new["kuiper_infer_batch_requests_count"]
        row = {
            "requests a second": new["kuiper_infer_requests_total"] / (now - self.last_time),
            "in a batch": new["kuiper_infer_batch_requests_sum"] / batches if batches else 0,
            "in the queue": values["kuiper_infer_queue_length"],
        }
        for phase in PHASES:
            count = new[f"kuiper_infer_phase_seconds_count{phase}"]
            row[phase] = new[f"kuiper_infer_phase_seconds_sum{phase}"] / count * 1000 if count else 0
        for name, value in row.items():
            self.series[name].append(round(value, 2))
        self.last, self.last_time = values, now


def main() -> None:
    """Starts the service, loads it, writes the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=6, help="of each number of clients")
    parser.add_argument("--every", type=float, default=0.5, help="seconds between two readings")
    parser.add_argument("--data", type=Path, required=True, help="the JSON file to write")
    given = parser.parse_args()
    with TemporaryDirectory() as name:
        write_model(Path(name))
        port, grpc_port = free_port(), free_port()
        command = [sys.executable, "-m", "kuiper_infer.serve", "--models", name]
        process = subprocess.Popen([*command, "--http-port", str(port), "--grpc-port", str(grpc_port)])
        try:
            wait_until_ready(port, process)
            recorder = Recorder(port, given.every)
            loads = []
            for clients in CLIENTS:
                stop = threading.Event()
                threads = [threading.Thread(target=ask, args=(port, stop)) for _ in range(clients)]
                for thread in threads:
                    thread.start()
                begun = time.monotonic() - recorder.begun
                recorder.record(given.seconds)
                stop.set()
                for thread in threads:
                    thread.join()
                loads.append({"clients": clients, "from": round(begun, 2), "to": recorder.times[-1]})
        finally:
            process.terminate()
            process.wait(60)
    given.data.write_text(json.dumps({"loads": loads, "times": recorder.times, "series": recorder.series}) + "\n")


if __name__ == "__main__":
    main()
