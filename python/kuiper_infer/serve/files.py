# SPDX-License-Identifier: MIT
"""Reading of the folder of models, into which other programs may put anything."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_KINDS = (
    (stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a named pipe"), (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"),
)  # fmt: skip


def require_regular(path: Path) -> None:
    """Raises OSError unless it is a regular file: opening a named pipe blocks for ever, a device may have no end."""
    _require_regular(path.stat().st_mode)


def read_small(path: Path, max_bytes: int) -> bytes:
    """Returns the contents of a regular file, and raises OSError for another and for one of more than `max_bytes`."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        _require_regular(os.fstat(descriptor).st_mode)
        contents = file.read(max_bytes + 1)
    if len(contents) > max_bytes:
        raise OSError(f"the file has more than {max_bytes} bytes")
    return contents


def _require_regular(mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = next((name for test, name in _KINDS if test(mode)), "of an unknown kind")
        raise OSError(f"this is {kind}, expected a regular file")
