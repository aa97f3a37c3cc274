# SPDX-License-Identifier: MIT
"""The folder of models, `NAME/VERSION/model.pnnx.param|.bin` and `config.toml`, and how a change in it is noticed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PARAM, BIN, CONFIG = "model.pnnx.param", "model.pnnx.bin", "config.toml"

# The files of a model that generates text: its tokenizer, the first one that is there, and what may be beside it.
TOKENIZERS = ("tokenizer.json", "tokenizer.gguf")
VOCABULARY = "vocab.txt"  # BERT's, beside a model that encodes sentences
_BESIDE_TOKENIZER = ("tokenizer_config.json", "generation_config.json", "chat_template.jinja")

# Identity, length and time of change of each file, None for one that is not there.
Fingerprint = tuple[tuple[int, int, int, int] | None, ...]


@dataclass(frozen=True, order=True)
class Place:
    """One version of a model. Places of a name are ordered by version."""

    name: str
    version: int

    def folder(self, root: Path) -> Path:
        """The folder of its files."""
        return root / self.name / str(self.version)


def scan(root: Path) -> tuple[dict[Place, Fingerprint], set[str]]:
    """Returns the versions that the folder holds, and the names of models whose folder can't be read.

    Both model files have to be there, `config.toml` need not.
    """
    found: dict[Place, Fingerprint] = {}
    unreadable: set[str] = set()
    for model in _subfolders(root):
        try:
            versions = [folder for folder in _subfolders(model) if _is_number(folder.name)]
        except FileNotFoundError:  # removed since its parent was listed
            continue
        except OSError:
            unreadable.add(model.name)
            continue
        for folder in versions:
            print_ = fingerprint(folder)
            if print_[0] is not None and print_[1] is not None:
                found[Place(model.name, int(folder.name))] = print_
    return found, unreadable


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdigit() and str(int(name)) == name


def fingerprint(folder: Path) -> Fingerprint:
    """Returns a value that changes with the state of a version's files."""
    return tuple(_state(folder / name) for name in (PARAM, BIN, CONFIG, *TOKENIZERS, VOCABULARY, *_BESIDE_TOKENIZER))


def _state(path: Path) -> tuple[int, int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _subfolders(folder: Path) -> list[Path]:
    """The folders in a folder, but for hidden ones and for names that are no UTF-8: no answer could hold these."""
    entries = sorted(entry for entry in folder.iterdir() if not entry.name.startswith(".") and _is_text(entry.name))
    return [entry for entry in entries if entry.is_dir()]


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


class StableFolder:
    """Tells the folder's versions as they were in two successive scans.

    Files that are being copied change between two scans. A version is therefore taken up, reloaded or retired only if
    nothing has changed for the time between them.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._last: dict[Place, Fingerprint] = {}
        self._stable: dict[Place, Fingerprint] = {}

    def update(self) -> dict[Place, Fingerprint]:
        """Scans, and returns the versions' last stable states."""
        now, unreadable = scan(self.root)
        now |= {place: state for place, state in self._last.items() if place.name in unreadable}
        for place in self._last.keys() | now.keys() | self._stable.keys():
            if self._last.get(place) == now.get(place):
                if place in now:
                    self._stable[place] = now[place]
                else:
                    self._stable.pop(place, None)
        self._last = now
        return dict(self._stable)
