# SPDX-License-Identifier: MIT
"""What to tell whoever lacks the packages of an extra: the package is on no index, where pip could find it by name."""

from __future__ import annotations

import importlib
import importlib.metadata

# PyPI's torch brings the libraries of GPUs along, some gigabytes that nothing here uses.
CPU_INDEX = "https://download.pytorch.org/whl/cpu"


def require(extra: str, *packages: str) -> None:
    """Raises an ImportError that tells how to install what is missing of the packages of `extra`."""
    for package in packages:
        try:
            importlib.import_module(package)
        except ImportError as error:
            message = f"this needs the package {package} ({error}): {install_commands(extra)}"
            raise ImportError(message, name=package) from error


def install_commands(extra: str) -> str:
    """The commands that install what `extra` needs beside the package, as its metadata has it."""
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
