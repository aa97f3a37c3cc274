# SPDX-License-Identifier: MIT
"""Folders of this machine: the files below them, and whether one lies in another."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator


def files_below(root: str, enter: Callable[[str], bool] = lambda folder: True) -> Iterator[str]:
    """Returns the regular files below a folder by their paths relative to it; none if the folder does not exist.

    Links are followed. `enter` tells for a folder's path whether its files are wanted. Raises ValueError for a link to
    a folder that contains the link.
    """
    waiting: list[tuple[str, dict[tuple[int, int], str]]] = [("", {})] if os.path.lexists(root) else []
    while waiting:
        folder, above = waiting.pop()
        path = os.path.join(root, folder) if folder else root
        try:
            identity = _identity(path)
            entries = sorted(os.scandir(path), key=lambda entry: entry.name)
        except FileNotFoundError:
            continue  # another process has deleted it since its name was read
        if identity in above:
            containing = os.path.join(root, above[identity]).rstrip("/")
            raise ValueError(f"'{path}' leads back to '{containing}', which contains it: expected no circles")
        for entry in entries:
            name = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_file():
                yield name
            elif entry.is_dir() and enter(name):
                waiting.append((name, {**above, identity: folder}))


def _identity(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_dev, status.st_ino


def path_within(folder: str, path: str) -> str | None:
    """Returns the path relative to a folder: "" if it is the folder, None if it is elsewhere.

    Neither has to exist. Links and folders that are mounted twice are resolved.
    """
    folder, path = os.path.realpath(folder), os.path.realpath(path)
    ancestor = path
    while True:
        if ancestor == folder or _same(ancestor, folder):
            return os.path.relpath(path, ancestor) if path != ancestor else ""
        if ancestor == os.path.dirname(ancestor):
            return None
        ancestor = os.path.dirname(ancestor)


def _same(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
