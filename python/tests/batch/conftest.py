# SPDX-License-Identifier: MIT
"""A Ray of two CPUs for the tests of batch jobs."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from .helpers import DATA, with_package


@pytest.fixture(scope="session")
def cluster() -> Iterator[None]:
    ray = pytest.importorskip("ray", reason="needs ray")
    tests = str(DATA.parents[1])  # where workers find the classes of these tests
    os.environ["PYTHONPATH"] = os.pathsep.join([with_package()["PYTHONPATH"], tests])
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, address="local", logging_level="error")
    yield
    ray.shutdown()
