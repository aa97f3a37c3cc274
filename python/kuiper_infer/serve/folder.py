# SPDX-License-Identifier: MIT
"""The folder of models, `NAME/VERSION/model.pnnx.param|.bin` and `config.toml`, and how a change in it is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PARAM, BIN, CONFIG = "model.pnnx.param", "model.pnnx.bin", "config.toml"

# Identity, length and time of change of each file, None for one that is not there.
Fingerprint = tuple[tuple[int, int, int, int] | None, ...]


@dataclass(frozen=True, order=True)
class Place:
    """One version of a model. Places of a name are ordered by version."""

    name: str
    version: int

    def folder(self, root: Path) -> Path:
        """Where its files lie."""
        return root / self.name / str(self.version)


def scan(root: Path) -> dict[Place, Fingerprint]:
    """Returns the versions that the folder holds. Both model files have to be there, `config.toml` need not."""
    found: dict[Place, Fingerprint] = {}
    for model in _subfolders(root):
        for folder in _subfolders(model):
            if not (folder.name.isascii() and folder.name.isdigit() and str(int(folder.name)) == folder.name):
                continue
            print_ = fingerprint(folder)
            if print_[0] is not None and print_[1] is not None:
                found[Place(model.name, int(folder.name))] = print_
    return found


def fingerprint(folder: Path) -> Fingerprint:
    """Returns what tells the present state of a version's files from any other."""
    return tuple(_state(folder / name) for name in (PARAM, BIN, CONFIG))


def _state(path: Path) -> tuple[int, int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _subfolders(folder: Path) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except FileNotFoundError:  # removed since its parent was listed
        return
    yield from (entry for entry in entries if entry.is_dir() and not entry.name.startswith("."))


class StableFolder:
    """Tells the folder's versions as they were in two scans, one after the other.

    Files that are being copied change between two scans, so that a version is taken up, reloaded or retired only when
    nothing has changed for the time between them.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._last: dict[Place, Fingerprint] = {}
        self._stable: dict[Place, Fingerprint] = {}

    def update(self) -> dict[Place, Fingerprint]:
        """Scans, and returns the versions' last stable states."""
        now = scan(self.root)
        for place in self._last.keys() | now.keys() | self._stable.keys():
            if self._last.get(place) == now.get(place):
                if place in now:
                    self._stable[place] = now[place]
                else:
                    self._stable.pop(place, None)
        self._last = now
        return dict(self._stable)
