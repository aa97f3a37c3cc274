# SPDX-License-Identifier: MIT
"""Compares services on one model: throughput over gRPC and in process, and latencies at 70 % load.

For each service, rounds of the two throughputs alternate, so that both see the same machine; medians are compared. The
CPU time of a request shows the overhead even if the machine has other work. The load comes from locust and
tritonclient (locustfile.py). Each part has its own interpreter, since tritonclient, kserve and mlserver hold messages
of the same names.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
HTTP, GRPC = 18180, 18181  # those of mlserver/settings.json


@dataclass(frozen=True)
class Subject:
    """A service that is measured."""

    name: str
    python: str  # the service's interpreter
    model: str  # file for the measurement in process
    input: str
    command: tuple[str, ...]
    folder: Path  # the folder that the command runs in
    threads: int  # of one run


def start(subject: Subject) -> subprocess.Popen:
    """Starts the service and waits until the model answers."""
    log = (subject.folder / "log").open("w")
    process = subprocess.Popen([subject.python, *subject.command], cwd=subject.folder, stdout=log, stderr=log)
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{HTTP}/v2/models/resnet18/ready", timeout=5) as answer:
                if answer.status == 200:
                    return process
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(0.1)
    raise RuntimeError(f"{subject.name} did not start; see {log.name}")


def cpu_seconds(pid: int) -> float:
    """Returns the CPU time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def in_process(subject: Subject, seconds: float) -> tuple[float, float]:
    """Returns requests per second without a service, and milliseconds of CPU time per request."""
    command = [subject.python, str(HERE / "in_process.py"), subject.model, "--seconds", str(seconds)]
    command += ["--threads", str(subject.threads)]
    run = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    rate, milliseconds = map(float, run.stdout.split())
    return rate, milliseconds


def load(python: str, subject: Subject, users: int, seconds: float, rate: float = 0) -> dict[str, float]:
    """Returns requests per second and percentiles, in milliseconds, under load. `rate` is the rate of all users
    together."""
    names = {"LOAD_MODEL": "resnet18", "LOAD_INPUT": subject.input, "LOAD_RATE": str(rate / users)}
    command = [python, "-m", "locust", "-f", str(HERE / "locustfile.py"), "--headless", "--json", "--users", str(users)]
    command += ["--spawn-rate", "100", "--run-time", f"{seconds:g}s", "--host", f"127.0.0.1:{GRPC}"]
    run = subprocess.run(command, env={**os.environ, **names}, check=False, capture_output=True, text=True, timeout=120)
    (entry,) = json.loads(run.stdout[run.stdout.index("[") :])
    times = sorted((float(ms), count) for ms, count in entry["response_times"].items())
    total = sum(count for _, count in times)

    def percentile(part: float) -> float:
        left = part * total
        for ms, count in times:
            left -= count
            if left <= 0:
                return ms
        return times[-1][0]

    lasted = entry["last_request_timestamp"] - entry["start_time"]
    return {
        "rate": entry["num_requests"] / lasted,
        "requests": entry["num_requests"],
        "median": percentile(0.5),
        "p99": percentile(0.99),
        "failures": entry["num_failures"],
    }


def measure(subject: Subject, given: argparse.Namespace) -> str:
    """Measures one row of the table."""
    alone: list[float] = []
    served: list[float] = []
    alone_cpu: list[float] = []
    served_cpu: list[float] = []
    process = start(subject)
    try:
        load(given.client_python, subject, given.users, 2)
        failures = 0.0
        for _ in range(given.rounds):
            rate, milliseconds = in_process(subject, given.seconds)
            alone.append(rate)
            alone_cpu.append(milliseconds)
            before = cpu_seconds(process.pid)
            full = load(given.client_python, subject, given.users, given.seconds)
            served.append(full["rate"])
            served_cpu.append((cpu_seconds(process.pid) - before) / full["requests"] * 1000)
            failures += full["failures"]
        rate = 0.7 * statistics.median(served)
        part = load(given.client_python, subject, 16, 2 * given.seconds, rate)
    finally:
        process.terminate()
        process.wait(60)
    inside, outside = statistics.median(alone), statistics.median(served)
    inside_cpu, outside_cpu = statistics.median(alone_cpu), statistics.median(served_cpu)
    return (
        f"| {subject.name} | {inside:.1f} | {outside:.1f} | {outside / inside:.0%} | {inside_cpu:.1f} | "
        f"{outside_cpu:.1f} | {inside_cpu / outside_cpu:.0%} | {part['rate']:.1f} | "
        f"{part['median']:.0f} | {part['p99']:.0f} | {part['p99'] / part['median']:.1f} | "
        f"{failures + part['failures']:.0f} |"
    )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--client-python", required=True, help="interpreter with locust and tritonclient")
    parser.add_argument("--service-python", default=sys.executable, help="interpreter with kuiper_infer[serve]")
    parser.add_argument("--param", type=Path, required=True, help="the model, .pnnx.param beside .pnnx.bin")
    parser.add_argument("--config", default="", help="contents of config.toml")
    parser.add_argument("--threads", type=int, default=0, help="of one run in process, as in --config")
    parser.add_argument("--mlserver-python", help="interpreter with mlserver and onnxruntime")
    parser.add_argument("--onnx", type=Path, help="the model for MLServer")
    parser.add_argument("--onnx-input", default="in0")
    parser.add_argument("--users", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=6)
    given = parser.parse_args()
    titles = ["service", "in process, 1/s", "gRPC, 1/s", "share", "CPU in process, ms", "CPU of service, ms", "share"]
    titles += ["70 %: 1/s", "median, ms", "p99, ms", "p99 / median", "failures"]
    print(f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|")
    with TemporaryDirectory() as name:
        folder = Path(name)
        version = folder / "models" / "resnet18" / "1"
        version.mkdir(parents=True)
        shutil.copy(given.param, version / "model.pnnx.param")
        shutil.copy(str(given.param)[:-5] + "bin", version / "model.pnnx.bin")
        (version / "config.toml").write_text(given.config)
        command = ("-m", "kuiper_infer.serve", "--models", "models", "--http-port", str(HTTP), "--grpc-port", str(GRPC))
        ours = Subject(
            "kuiper-serve", given.service_python, str(given.param), "pnnx_input_0", command, folder, given.threads
        )
        print(measure(ours, given), flush=True)
    if given.mlserver_python:
        with TemporaryDirectory() as name:
            folder = Path(name)
            shutil.copytree(HERE / "mlserver", folder, dirs_exist_ok=True)
            shutil.copy(given.onnx, folder / "resnet18.onnx")
            command = ("-c", "from mlserver.cli import main; main()", "start", ".")
            theirs = Subject(
                "MLServer, ONNX Runtime", given.mlserver_python, str(given.onnx), given.onnx_input, command, folder, 0
            )
            print(measure(theirs, given), flush=True)
    print(f"\n{os.cpu_count()} cores, which service and load share; load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
