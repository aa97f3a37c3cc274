# SPDX-License-Identifier: MIT
"""Messages for users who lack the packages of an extra. This package is not on PyPI, so pip can't find it by name."""

from __future__ import annotations

import importlib
import importlib.metadata

# PyPI's torch brings the libraries of GPUs along, some gigabytes that nothing here uses.
CPU_INDEX = "https://download.pytorch.org/whl/cpu"


def require(extra: str, *packages: str) -> None:
    """Raises an ImportError that says how to install the packages of `extra` if one of `packages` is missing."""
    for package in packages:
        try:
            importlib.import_module(package)
        except ImportError as error:
            message = f"this needs the package {package} ({error}): {install_commands(extra)}"
            raise ImportError(message, name=package) from error


def install_commands(extra: str) -> str:
    """Returns the commands that install the packages of `extra`, which the package's metadata lists."""
    try:
        requirements = importlib.metadata.requires("kuiper-infer") or []
    except importlib.metadata.PackageNotFoundError:  # used from its sources
        requirements = []
    needed = [name for name, _, marker in (entry.partition(";") for entry in requirements) if f'"{extra}"' in marker]
    if not needed:
        return f'pip install ".[{extra}]" in the folder of its sources'
    torch = [name for name in needed if name.startswith("torch")]
    others = [name for name in needed if name not in torch]
    commands = [f"pip install {' '.join(map(_quoted, torch))} --index-url {CPU_INDEX}"] if torch else []
    return " && ".join([*commands, f"pip install {' '.join(map(_quoted, others))}"])


def _quoted(requirement: str) -> str:
    return f"'{requirement.strip()}'" if set(requirement) & set("<>[") else requirement.strip()
