# SPDX-License-Identifier: MIT
"""A Ray of two CPUs for the tests of batch jobs."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from .helpers import with_package


@pytest.fixture(scope="session")
def cluster() -> Iterator[None]:
    ray = pytest.importorskip("ray", reason="needs ray")
    os.environ["PYTHONPATH"] = with_package()["PYTHONPATH"]
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, address="local", logging_level="error")
    yield
    ray.shutdown()
