# SPDX-License-Identifier: MIT
"""Files by path or address, on this machine or in an object store."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import fsspec
import pyarrow as pa
from pyarrow import fs

TEMPORARY = "_temporary"  # folder of files that are being written


class Storage:
    """A place of files: pyarrow's file systems for paths, s3://, gs:// and hdfs://, fsspec's for further addresses.

    Paths of its methods are relative to `root`. It can be pickled.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.system, root = _resolve(address)
        self.root = root.rstrip("/") or "/"

    def __reduce__(self) -> tuple[type[Storage], tuple[str]]:
        return Storage, (self.address,)

    def path(self, name: str = "") -> str:
        return f"{self.root.rstrip('/')}/{name}" if name else self.root

    def is_file(self) -> bool:
        """Whether the root itself is a file."""
        return self.system.get_file_info(self.root).type == fs.FileType.File

    def files(self) -> list[str]:
        """All files below the root, sorted; none where it does not exist."""
        found = self.system.get_file_info(fs.FileSelector(self.root, allow_not_found=True, recursive=True))
        start = len(self.root.rstrip("/")) + 1
        return sorted(info.path[start:] for info in found if info.type == fs.FileType.File)

    def exists(self, name: str) -> bool:
        return self.system.get_file_info(self.path(name)).type == fs.FileType.File

    def read(self, name: str = "") -> bytes:
        with self.system.open_input_stream(self.path(name)) as stream:
            return stream.read()

    def open(self, name: str) -> pa.NativeFile:
        """A file to read from at any place."""
        return self.system.open_input_file(self.path(name))

    @contextmanager
    def written_whole(self, name: str) -> Iterator[pa.NativeFile]:
        """A file to write, which appears under its name when it is whole and replaces one of that name.

        Two writers of one name never mix. When the block raises, nothing appears.
        """
        temporary = self.path(f"{TEMPORARY}/{uuid.uuid4().hex}")
        self._make_folder(temporary)
        try:
            with self.system.open_output_stream(temporary) as stream:
                yield stream
            self._make_folder(self.path(name))
            self.system.move(temporary, self.path(name))
        except BaseException:
            self.delete(f"{TEMPORARY}/{temporary.rpartition('/')[2]}")
            raise

    def delete(self, name: str) -> None:
        """Deletes a file if it exists."""
        if self.exists(name):
            self.system.delete_file(self.path(name))

    def delete_temporary(self) -> None:
        """Deletes what killed writers have left."""
        if self.system.get_file_info(self.path(TEMPORARY)).type == fs.FileType.Directory:
            self.system.delete_dir(self.path(TEMPORARY))

    def _make_folder(self, path: str) -> None:
        self.system.create_dir(path.rpartition("/")[0], recursive=True)


def _resolve(address: str) -> tuple[fs.FileSystem, str]:
    if "://" not in address:
        return fs.LocalFileSystem(), os.path.abspath(address)
    try:
        return fs.FileSystem.from_uri(address)
    except pa.ArrowInvalid:  # a kind of address that pyarrow does not know
        system, path = fsspec.core.url_to_fs(address)
        return fs.PyFileSystem(fs.FSSpecHandler(system)), path
