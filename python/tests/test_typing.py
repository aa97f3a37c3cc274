# SPDX-License-Identifier: MIT
"""The package's types (py.typed), as mypy reads them in a user's program."""

import pathlib
import subprocess
import sys

import pytest

import kuiper_infer

PROGRAM = pathlib.Path(__file__).with_name("typed_program.py")


def test_a_users_program(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "mypy.ini").write_text("[mypy]\nwarn_unused_ignores = true\ncheck_untyped_defs = true\n")
    command = [sys.executable, "-m", "mypy", "--cache-dir", tmp_path / "cache", PROGRAM]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
    assert (pathlib.Path(kuiper_infer.__file__).parent / "py.typed").exists()
