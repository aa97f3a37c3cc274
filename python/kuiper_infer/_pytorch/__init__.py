# SPDX-License-Identifier: MIT
"""What `export` and `compare` do with PyTorch and the converter; the only modules that import them."""

from __future__ import annotations

from .. import _extras


def require(*packages: str) -> None:
    """Raises an ImportError that tells how to install what is missing."""
    _extras.require("export", *packages)
