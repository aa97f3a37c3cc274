# SPDX-License-Identifier: MIT
"""Which files are the inputs of a job."""

from __future__ import annotations

import os
import re

from fsspec.utils import glob_translate

from .folders import files_below, path_within
from .storage import Storage


def find_inputs(pattern: str, output: Storage) -> tuple[Storage, list[str]]:
    """Returns the root of the input and the files below it, for a folder, a file or a pattern with *, **, ? or [].

    Files and folders whose names begin with . or _ are left out, as in other readers of folders of Parquet files.
    Raises ValueError if files of the output folder are or would be among them, or if links make a circle.
    """
    wildcard = re.search(r"[*?\[]", pattern)
    folder, rest = pattern, "**"
    if wildcard or Storage(pattern).is_file():
        folder, slash, _ = pattern[: wildcard.start() if wildcard else None].rpartition("/")
        rest = pattern[len(folder + slash) :]
        folder = folder or slash or "."
    storage = Storage(folder)
    _check_apart(pattern, storage, rest.split("/"), output)
    matches = re.compile(glob_translate(rest)).match
    names = _local_files(pattern, storage, rest.split("/"), output) if storage.is_local else storage.files()
    return storage, [name for name in names if _is_visible(name) and matches(name)]


def _check_apart(pattern: str, source: Storage, parts: list[str], output: Storage) -> None:
    """Raises ValueError if a job begun again would read its own outputs, or if inputs lie in the output folder."""
    below = source.path_of(output)
    if below == "":
        raise _not_apart(pattern, output, "are the same folder")
    if below is not None and _is_visible(below) and _reaches(parts, below.split("/")):
        raise _not_apart(pattern, output, "overlap: the results would be taken for inputs")
    if output.path_of(source):
        raise _not_apart(
            pattern, output, "overlap: the input lies in the output folder, which belongs to one job alone"
        )


def _not_apart(pattern: str, output: Storage, how: str) -> ValueError:
    return ValueError(f"the input '{pattern}' and the output '{output.address}' {how}; give a folder apart as output")


def _local_files(pattern: str, source: Storage, parts: list[str], output: Storage) -> list[str]:
    def check(name: str) -> None:
        if output.is_local and path_within(output.root, source.path(name)) is not None:
            raise _not_apart(pattern, output, f"overlap: '{source.path(name)}' leads into the output folder")

    def enter(folder: str) -> bool:
        wanted = _is_visible(folder) and _reaches(parts, folder.split("/"))
        if wanted:
            check(folder)
        return wanted

    names = sorted(files_below(source.root, enter))
    for name in names:
        if os.path.islink(source.path(name)):
            check(name)
    return names


def _is_visible(name: str) -> bool:
    return not any(part.startswith((".", "_")) for part in name.split("/"))


def _reaches(pattern: list[str], folder: list[str]) -> bool:
    """Whether a pattern may match files below a folder."""
    for part, name in zip(pattern, folder, strict=False):
        if part == "**":
            return True
        if not re.match(glob_translate(part), name):
            return False
    return len(pattern) > len(folder)
