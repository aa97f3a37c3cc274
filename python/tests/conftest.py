# SPDX-License-Identifier: MIT
import pathlib

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(scope="session")
def line_reader() -> str:
    """The model that ships in tmp/: (1,1,32,any width) -> (1,width / 4,96)."""
    return str(ROOT / "tmp/line_reader.pnnx.param")


@pytest.fixture
def generator(request: pytest.FixtureRequest) -> np.random.Generator:
    return np.random.default_rng(20261123)
