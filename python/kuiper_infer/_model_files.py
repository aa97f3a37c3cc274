# SPDX-License-Identifier: MIT
"""Where the two files of a model that is being written come to lie."""

from __future__ import annotations

import contextlib
import os
import pathlib
import tempfile
from collections.abc import Iterator

from ._model import Model


def stem_of(path: str | os.PathLike[str]) -> pathlib.Path:
    """Returns the path without .pnnx.param. Raises FileNotFoundError if its folder does not exist."""
    stem = pathlib.Path(os.fspath(path).removesuffix(".param").removesuffix(".pnnx"))
    if not stem.parent.is_dir():
        raise FileNotFoundError(f"{stem.parent}: no such folder to write {stem.name}.pnnx.param into")
    return stem


@contextlib.contextmanager
def folder_beside(stem: pathlib.Path) -> Iterator[pathlib.Path]:
    """Gives a temporary folder beside the files to be, so that these appear whole, by renaming."""
    with tempfile.TemporaryDirectory(dir=stem.parent, prefix=f".{stem.name}.") as name:
        yield pathlib.Path(name)


def put_in_place(written: pathlib.Path, stem: pathlib.Path) -> Model:
    """Renames the two files and loads them anew, since messages of a model that was checked name temporary files."""
    param, bin = (f"{stem}.pnnx.{extension}" for extension in ("param", "bin"))
    os.replace(f"{written}.pnnx.bin", bin)
    os.replace(f"{written}.pnnx.param", param)
    return Model(param, bin)
