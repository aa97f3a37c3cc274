# SPDX-License-Identifier: MIT
"""Services for the tests. Without the extra `serve` these are left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("kserve", reason="the service needs the extra 'serve'")

from . import models
from .running_service import Service, Start, serving


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a service over `tmp_path / "models"`, whose models the test writes."""
    services: list[Service] = []
    (tmp_path / "models").mkdir()

    def start_one(*options: str) -> Service:
        services.append(Service(tmp_path / "models", tmp_path / "log", *options))
        return services[-1]

    yield start_one
    for service in services:
        service.end()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with one of each kind of model, for tests that change nothing."""
    folder = tmp_path_factory.mktemp("service")
    batched = "workers = 2\n[batching]\nmax_size = 8\nmax_wait_ms = 1\n"
    models.write(folder / "models" / "affine" / "1", models.AFFINE, batched)
    models.write(folder / "models" / "affine" / "3", models.STEEPER, batched)
    models.write(folder / "models" / "pair" / "1", models.PAIR)
    models.write(folder / "models" / "slow" / "1", models.slow(), "[limits]\nmax_queue = 2\n")
    with serving(folder, "--max-request-bytes", "1000000", "--body-seconds", "2") as running:
        yield running
