# SPDX-License-Identifier: MIT
"""What `export` and `compare` do with PyTorch and the converter; the only modules that import them."""

from __future__ import annotations

import importlib

from .._extras import install_commands


def require(*packages: str) -> None:
    """Raises an ImportError that tells how to install what is missing."""
    for package in packages:
        try:
            importlib.import_module(package)
        except ImportError as error:
            raise ImportError(
                f"this needs the package {package} ({error}): {install_commands('export')}", name=package
            ) from error
