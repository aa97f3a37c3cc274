# SPDX-License-Identifier: MIT
"""What `export` and `compare` do with PyTorch and the converter; the only modules that import them."""

from __future__ import annotations

from .. import _extras

STEM = "model"
"""The files in the temporary folder of an export are model.pnnx.param and model.pnnx.bin."""


def require(*packages: str) -> None:
    """Raises an ImportError that says how to install missing packages."""
    _extras.require("export", *packages)
