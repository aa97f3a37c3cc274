# SPDX-License-Identifier: MIT
"""Files by path or address, on this machine or in an object store."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit

import fsspec
import pyarrow as pa
from fsspec.implementations.local import LocalFileSystem
from pyarrow import fs

from .folders import files_below, path_within
from .ownership import has_ended, this_process

TEMPORARY = "_temporary-"  # folders of files that are being written, one for each job
_ABANDONED = 24 * 3600  # seconds without a write after which an unfinished file counts as abandoned


class Storage:
    """A place of files: pyarrow's file systems for paths, s3://, gs:// and hdfs://, fsspec's for further addresses.

    Paths of its methods are relative to `root`. It can be pickled. `owner`: the process whose job writes here.
    """

    def __init__(self, address: str, owner: str = "") -> None:
        self.address = address
        self.owner = owner or this_process()
        self.system, root = _resolve(address)
        self.root = root.rstrip("/") or "/"

    def __reduce__(self) -> tuple[type[Storage], tuple[str, str]]:
        return Storage, (self.address, self.owner)

    @property
    def is_local(self) -> bool:
        return isinstance(self.system, fs.LocalFileSystem)

    def path(self, name: str = "") -> str:
        return f"{self.root.rstrip('/')}/{name}" if name else self.root

    def is_file(self) -> bool:
        """Whether the root itself is a file."""
        return self.system.get_file_info(self.root).type == fs.FileType.File

    def files(self) -> list[str]:
        """Returns all files below the root, sorted; none if the root does not exist."""
        return sorted(files_below(self.root) if self.is_local else self._list(recursive=True))

    def own_files(self) -> list[str]:
        """The files of the root itself, not of the folders below, sorted."""
        return sorted(self._list(recursive=False))

    def _list(self, recursive: bool) -> list[str]:
        found = self.system.get_file_info(fs.FileSelector(self.root, allow_not_found=True, recursive=recursive))
        start = len(self.root.rstrip("/")) + 1
        return [info.path[start:] for info in found if info.type == fs.FileType.File]

    def path_of(self, other: Storage) -> str | None:
        """Returns the path of another place relative to this one: "" if they are the same, None if it is elsewhere."""
        if self.is_local and other.is_local:
            return path_within(self.root, other.root)
        if self.is_local or other.is_local or _host(self.address) != _host(other.address):
            return None
        within, whole = self.root.strip("/"), other.root.strip("/")
        if within == whole:
            return ""
        return whole[len(within) :].lstrip("/") if whole.startswith(f"{within}/") or not within else None

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
        temporary = f"{TEMPORARY}{self.owner}/{uuid.uuid4().hex}"
        self._make_folder(temporary)
        try:
            with self.system.open_output_stream(self.path(temporary)) as stream:
                yield stream
            self._make_folder(name)
            self.system.move(self.path(temporary), self.path(name))
        except BaseException:
            self.delete(temporary)
            raise

    def delete(self, name: str) -> None:
        """Deletes a file if it exists."""
        try:
            if self.exists(name):
                self.system.delete_file(self.path(name))
        except FileNotFoundError:
            pass  # another process has deleted it

    def delete_temporary(self) -> None:
        """Deletes the temporary files of this job and files that other jobs have left: all files of a job whose process
        has certainly ended, and of all other jobs the files that nobody has written to for a day.
        """
        for info in self.system.get_file_info(fs.FileSelector(self.root, allow_not_found=True)):
            if info.type != fs.FileType.Directory or not info.base_name.startswith(TEMPORARY):
                continue
            owner = info.base_name.removeprefix(TEMPORARY)
            try:
                if owner == self.owner or has_ended(owner):
                    self.system.delete_dir(info.path)
                else:
                    self._delete_abandoned(info.path)
            except FileNotFoundError:
                continue  # another process has deleted it

    def _delete_abandoned(self, folder: str) -> None:
        for info in self.system.get_file_info(fs.FileSelector(folder, allow_not_found=True)):
            if info.mtime_ns is not None and info.mtime_ns / 1e9 < time.time() - _ABANDONED:
                self.system.delete_file(info.path)

    def _make_folder(self, name: str) -> None:
        self.system.create_dir(self.path(name).rpartition("/")[0], recursive=True)


def _resolve(address: str) -> tuple[fs.FileSystem, str]:
    if "://" not in address:
        return fs.LocalFileSystem(), os.path.abspath(address)
    try:
        return fs.FileSystem.from_uri(address)
    except pa.ArrowInvalid:  # a kind of address that pyarrow does not know
        system, path = fsspec.core.url_to_fs(address)
        if isinstance(system, LocalFileSystem):
            return fs.LocalFileSystem(), path
        return fs.PyFileSystem(fs.FSSpecHandler(system)), path


def _host(address: str) -> tuple[str, ...]:
    """Returns a key that identifies the server of an address: kind, host or bucket, endpoint."""
    parts = urlsplit(address)
    kind = {"s3a": "s3", "s3n": "s3", "gcs": "gs"}.get(parts.scheme, parts.scheme)
    return kind, parts.netloc.rpartition("@")[2], *parse_qs(parts.query).get("endpoint_override", [])
