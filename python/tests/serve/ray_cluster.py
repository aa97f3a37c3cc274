# SPDX-License-Identifier: MIT
"""A Ray on this machine that serves models by the project's configuration of Ray Serve. Without the packages that this
takes, the tests that import it are left out."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

_REASON = 'needs ray[serve]: pip install ".[test]"'
yaml = pytest.importorskip("yaml", reason=_REASON)
pytest.importorskip("mmh3", reason=_REASON)
in_ray = pytest.importorskip("kuiper_infer.serve.ray", reason=_REASON)

CONFIG = Path(__file__).parents[3] / "tools" / "deploy" / "ray_serve.yaml"
_REPLICA = "ray::ServeReplica:kuiper:kuiper"


def configuration(models: Path, port: int) -> dict[str, Any]:
    """The project's configuration for two replicas on this machine."""
    config = yaml.safe_load(CONFIG.read_text())
    config["http_options"]["port"] = port
    (app,) = config["applications"]
    app["args"] = {"models": str(models), "poll_seconds": 0.1}
    (deployment,) = app["deployments"]
    del deployment["autoscaling_config"]
    deployment |= {"num_replicas": 2, "ray_actor_options": {"num_cpus": 0.5}}
    return config


class Cluster:
    """What `serve run` has started, with the models of `folder / "models"`. It answers from the beginning."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        file = folder / "ray_serve.yaml"
        file.write_text(yaml.safe_dump(configuration(folder / "models", port)))
        self.url = f"http://127.0.0.1:{port}"
        self._log = folder / "log"
        command = [sys.executable, "-m", "ray.serve.scripts", "run", str(file)]
        environment = os.environ | {"RAY_USAGE_STATS_ENABLED": "0"}
        with self._log.open("w") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=environment)
        try:
            self.until(lambda: self.ready() and len(self.replicas()) == 2)
        except BaseException:
            self.end()
            raise

    def ready(self) -> bool:
        """Whether a replica answers."""
        try:
            return httpx.get(f"{self.url}/v2/health/ready", timeout=10).status_code == 200
        except httpx.HTTPError:
            return False

    def until(self, happened: Callable[[], bool], seconds: float = 180.0) -> None:
        """Waits until something has happened, and fails where it does not."""
        end = time.monotonic() + seconds
        while not happened():
            assert time.monotonic() < end and self.process.poll() is None, self._log.read_text()[-5000:]
            time.sleep(0.1)

    def replicas(self) -> list[int]:
        """The processes of the replicas."""
        return [each.pid for each in self._processes() if _title(each).startswith(_REPLICA)]

    def end(self) -> None:
        """Ends Ray as Ctrl-C does, and kills what is left of it after half a minute."""
        processes = self._processes()
        self.process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(30)
        for each in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                each.kill()
        self.process.kill()
        self.process.wait()

    def _processes(self) -> list[psutil.Process]:
        """What `serve run` has started, and what that has started."""
        return psutil.Process(self.process.pid).children(recursive=True)


def _title(process: psutil.Process) -> str:
    try:
        return "".join(process.cmdline()[:1])
    except psutil.NoSuchProcess:
        return ""
