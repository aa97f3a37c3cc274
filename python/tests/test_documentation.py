# SPDX-License-Identifier: MIT
"""The examples in docstrings."""

import doctest
import importlib
import pkgutil

import numpy as np
import pytest

import kuiper_infer

MODULES = [kuiper_infer.__name__] + [
    f"kuiper_infer.{each.name}" for each in pkgutil.iter_modules(kuiper_infer.__path__) if not each.ispkg
]


@pytest.mark.parametrize(
    "name", sorted(set(MODULES) - {"kuiper_infer.__main__", "kuiper_infer._core", "kuiper_infer.ray"})
)
def test_examples(name, line_reader):
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, extraglobs={"example": line_reader, "np": np})
    assert failed == 0


def test_everything_public_is_documented():
    for name in kuiper_infer.__all__:
        assert name == "__version__" or getattr(kuiper_infer, name).__doc__, name
