# SPDX-License-Identifier: MIT
"""Which process a temporary file belongs to, and whether that process has ended for certain."""

from __future__ import annotations

import os
import pathlib
import uuid

_BOOT = pathlib.Path("/proc/sys/kernel/random/boot_id")


def this_process() -> str:
    """Returns a name that no other process has, on any machine."""
    return f"{_world()}.{os.getpid()}.{_start(os.getpid())}"


def has_ended(owner: str) -> bool:
    """Whether the process of that name has ended. False if this process cannot tell."""
    world, _, process = owner.partition(".")
    pid, _, start = process.partition(".")
    if world != _world() or not pid.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return _start(int(pid)) not in (start, "")


def _world() -> str:
    """Names the scope in which numbers of processes are unique: this start of this machine, and this container."""
    try:
        return f"{_BOOT.read_text().strip()}-{os.stat('/proc/self/ns/pid').st_ino}"
    except OSError:  # this is unknown, so the name is another one each time
        return uuid.uuid4().hex


def _start(pid: int) -> str:
    """When a process began, in ticks since the machine's start; "ended" if only its entry is left, empty if hidden."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "ended" if fields[0] in "ZX" else fields[19]
