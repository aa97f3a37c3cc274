# SPDX-License-Identifier: MIT
"""Models that come, change and go, and the service's end, while requests are on their way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

import httpx
import pytest

import tiny

from . import models
from .running_service import Service, Start


def factor(service: Service) -> float | None:
    """Which model answers: y = factor * x + 1."""
    answer = service.infer("m", [[1, 0, 0]])
    return answer.json()["outputs"][0]["data"][0] - 1 if answer.status_code == 200 else None


class Asker:
    """Asks a model again and again, and keeps every status and factor."""

    def __init__(self, service: Service) -> None:
        self.statuses: set[int] = set()
        self.factors: list[float] = []
        self._service = service
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._ask)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(30)

    def _ask(self) -> None:
        while not self._stop.is_set():
            answer = self._service.infer("m", [[1, 0, 0]])
            self.statuses.add(answer.status_code)
            if answer.status_code == 200:
                self.factors.append(answer.json()["outputs"][0]["data"][0] - 1)


def test_a_model_comes_changes_and_goes_without_a_request_lost(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "models" / "m"
    service = start()
    service.wait(service.ready)  # with an empty folder there is nothing to wait for
    assert service.infer("m", [[1, 0, 0]]).status_code == 404
    models.write(folder / "1", models.AFFINE)
    service.wait(lambda: factor(service) == 2)
    with Asker(service) as asker:
        models.write(folder / "1", models.STEEPER)  # replaced
        service.wait(lambda: factor(service) == 4)
        models.write(folder / "2", models.AFFINE, "[batching]\nmax_size = 4\n")  # a newer version
        service.wait(lambda: factor(service) == 2)
        shutil.rmtree(folder / "2")
        service.wait(lambda: factor(service) == 4)
    assert asker.statuses == {200}
    assert asker.factors == sorted(asker.factors[: asker.factors.index(4)]) + asker.factors[asker.factors.index(4) :]
    shutil.rmtree(folder)
    service.wait(lambda: service.infer("m", [[1, 0, 0]]).status_code == 404)
    assert service.ready()
    assert service.metric("kuiper_infer_model_ready") == 0


def test_a_broken_model_makes_the_service_unready_if_all_count_and_says_why(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    models.write(folder / "good" / "1", models.AFFINE)
    models.write(folder / "m" / "1", models.AFFINE.replace("pnnx.Expression", "my.Unknown"))
    service = start("--ready", "all")
    service.wait(lambda: service.metric("kuiper_infer_model_loads_total", result="failure") == 1)
    service.wait(lambda: service.infer("good", [[1, 2, 3]]).status_code == 200)
    assert not service.ready()
    assert httpx.get(f"{service.url}/v2/health/live").status_code == 200
    assert httpx.get(f"{service.url}/v2/models/m/ready").status_code == 503
    answer = service.infer("m", [[1, 2, 3]])
    assert answer.status_code == 503
    assert "operators or options that are not supported" in answer.json()["error"]
    assert "my.Unknown" not in answer.text  # what files hold is for the log
    assert "my.Unknown" in service.log.read_text()
    models.write(folder / "m" / "1", models.AFFINE)
    service.wait(service.ready)
    assert factor(service) == 2


def test_a_broken_reload_leaves_the_old_model_answering(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "models" / "m" / "1"
    models.write(folder, models.AFFINE)
    service = start()
    service.wait(service.ready)
    (folder / "config.toml").write_text("threads = 'all'\n")
    service.wait(lambda: service.metric("kuiper_infer_model_loads_total", result="failure") == 1)
    assert factor(service) == 2
    assert service.ready()
    (folder / "config.toml").unlink()
    service.wait(lambda: service.metric("kuiper_infer_model_loads_total", result="success") == 2)
    assert factor(service) == 2


def test_half_a_file_is_not_taken_up(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "models" / "m" / "1"
    folder.mkdir(parents=True)
    service = start()
    service.wait(service.ready)
    with (folder / "model.pnnx.param").open("w") as file:
        models.write(folder.parent / "other", models.AFFINE)
        shutil.copy(folder.parent / "other" / "model.pnnx.bin", folder)
        for character in models.AFFINE[:20]:
            file.write(character)
            file.flush()
            time.sleep(0.02)
        file.write(models.AFFINE[20:])
    service.wait(lambda: factor(service) == 2)
    assert service.metric("kuiper_infer_model_loads_total", result="failure") == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_what_was_accepted_is_finished_when_the_service_ends(start: Start, tmp_path: Path, workers: int) -> None:
    models.write(tmp_path / "models" / "slow" / "1", models.slow(300), f"workers = {workers}\nthreads = 1\n")
    service = start()
    service.wait(service.ready)
    size = 384
    row = [float(value) for value in range(size)]
    with ThreadPoolExecutor(6) as threads:
        accepted = [threads.submit(service.infer, "slow", [[v + n for v in row]] * size) for n in range(6)]
        service.wait(lambda: service.metric("kuiper_infer_phase_seconds_count", phase="decode") == 6)  # all accepted
        assert service.metric("kuiper_infer_requests_total") < 6
        begun = time.monotonic()
        assert service.end() == 0
        ended = time.monotonic() - begun
    for number, request in enumerate(accepted):
        answer = request.result()
        assert answer.status_code == 200
        assert answer.json()["outputs"][0]["data"][:size] == [value + number for value in row]
    assert ended < 25
    with pytest.raises(httpx.ConnectError):
        service.infer("slow", [row])


def test_a_second_service_on_the_same_port_fails(start: Start, tmp_path: Path) -> None:
    service = start()
    port = service.http.split(":")[1]
    with pytest.raises(AssertionError, match=f"HTTP can't listen on 127.0.0.1:{port}"):
        start("--http-port", port)


def test_memory_is_limited(start: Start, tmp_path: Path) -> None:
    models.write(tmp_path / "models" / "m" / "1", models.AFFINE, "max_memory = 10000\n")
    service = start()
    service.wait(service.ready)
    assert factor(service) == 2
    answer = service.infer("m", [[1, 2, 3]] * 2000)
    assert answer.status_code == 413
    assert "memory" in answer.json()["error"]
    assert factor(service) == 2


def test_batches_beyond_the_memory_are_found_before_requests_come(start: Start, tmp_path: Path) -> None:
    wide = models.AFFINE.replace("(1,3)", "(1,3000)")  # a batch of 8 takes 192,000 bytes
    models.write(tmp_path / "models" / "m" / "1", wide, "workers = 1\nmax_memory = 180000\n[batching]\nmax_size = 8\n")
    service = start()
    service.wait(service.ready)
    log = service.log.read_text()
    assert "m/1: there are no batches of 8" in log
    assert "no batches of 2" not in log
    with ThreadPoolExecutor(2) as clients:
        answers = list(clients.map(lambda number: service.infer("m", [[number] * 3000]), range(20)))
    assert [answer.json()["outputs"][0]["data"][0] for answer in answers] == [2 * number + 1 for number in range(20)]


def test_a_model_s_own_limit_of_bytes(start: Start, tmp_path: Path) -> None:
    models.write(tmp_path / "models" / "m" / "1", models.AFFINE, "[limits]\nmax_request_bytes = 24\n")
    service = start()
    service.wait(service.ready)
    assert service.infer("m", [[1, 2, 3]] * 2).status_code == 200
    answer = service.infer("m", [[1, 2, 3]] * 3)
    assert (answer.status_code, answer.json()["error"]) == (
        413,
        "the request's inputs have 36 bytes, the model takes 24",
    )


def test_requests_at_work_are_limited_and_health_is_answered(start: Start, tmp_path: Path) -> None:
    models.write(tmp_path / "models" / "slow" / "1", models.slow(600), "workers = 1\nthreads = 1\n")
    service = start("--max-requests", "3")
    service.wait(service.ready)
    matrix = [[1.0] * 384] * 384
    with ThreadPoolExecutor(8) as threads:
        requests = [threads.submit(service.infer, "slow", matrix) for _ in range(8)]
        while not all(request.done() for request in requests):
            assert httpx.get(f"{service.url}/v2/health/live").status_code == 200
        answers = [request.result() for request in requests]
    statuses = [answer.status_code for answer in answers]
    assert set(statuses) == {200, 503}
    assert statuses.count(200) >= 3
    assert {answer.json()["error"] for answer in answers if answer.status_code == 503} == {
        "3 requests are being served already"
    }


def test_operators_of_imported_modules(tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    text = tiny.param([line.replace("pnnx_input_0", "x") for line in tiny.doubled()]).decode()
    models.write(tmp_path / "models" / "m" / "1", text)
    service = start("--import", tiny.double_module(tmp_path))
    service.wait(service.ready)
    assert service.infer("m", [[1, 2, 3]]).json()["outputs"][0]["data"] == [2, 4, 6]


def test_a_module_that_cannot_be_imported(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kuiper_infer.serve", "--models", str(tmp_path), "--import", "absent_module"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert ended.returncode == 2
    assert "--import: module 'absent_module' can't be imported: ModuleNotFoundError" in ended.stderr
