# SPDX-License-Identifier: MIT
"""What lies at a path: regular files are read whatever their names are, anything else is refused at once."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys

import pytest

from kuiper_infer import KuiperError, Model, vision


@pytest.fixture
def a_minute():
    """Ends a test that waits for the other end of a FIFO."""
    former = signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, former)


def special_files(folder):
    """(path, what messages call it) of one of each kind."""
    os.mkfifo(folder / "fifo")
    (folder / "directory").mkdir()
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.fspath(folder / "socket"))
    return [
        (folder / "fifo", "a FIFO"),
        (folder / "directory", "a directory"),
        (folder / "socket", "a socket"),
        ("/dev/zero", "a device"),
    ]


def test_only_regular_files_are_read(line_reader, tmp_path, monkeypatch, a_minute):
    monkeypatch.chdir(tmp_path)  # a socket's path is short
    for path, kind in special_files(pathlib.Path()):
        message = f"{path}: is {kind}, expected a regular file"
        for read, arguments in ((Model, (path, line_reader)), (Model, (line_reader, path)), (vision.read, (path,))):
            with pytest.raises(KuiperError, match=message):
                read(*arguments)


def test_files_of_other_frameworks_name_the_way(tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(b"\x08\x07")
    with pytest.raises(KuiperError, match="is an ONNX model, expected a .pnnx.param file: .*docs/exporting.md"):
        Model(path, path)
    with pytest.raises(ValueError, match="docs/exporting.md"):
        Model(path)


def test_the_program_takes_paths_of_any_bytes(line_reader, tmp_path):
    path = os.path.join(os.fsencode(tmp_path), b"gr\xfc\xdf.pnnx.param")
    shutil.copy(line_reader, path)
    program = [sys.executable, "-m", "kuiper_infer", "info"]
    done = subprocess.run([*program, path], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([*program, path + b".absent"], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert path + b".absent: cannot be opened" in done.stderr
