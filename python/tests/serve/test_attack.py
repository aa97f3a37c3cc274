# SPDX-License-Identifier: MIT
"""The program that attacks a service runs and finds nothing; for some seconds here, a minute by default."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from .attacks import ATTACKS

PROGRAM = Path(__file__).parents[3] / "tools" / "attack_service.py"


def test_attacks_for_some_seconds() -> None:
    command = [sys.executable, str(PROGRAM), "--seconds", "4", "--max-wait", "60"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 things were wrong" in run.stdout
    for said in ("malformed HTTP requests", "malformed gRPC calls", "to OpenAI's paths", "silent connections",
                 "clients that went", "long JSON", "repeated outputs", "reloads asked for",
                 "right answers, gRPC"):  # fmt: skip
        assert said in run.stdout


def test_an_unknown_attack_is_refused() -> None:
    run = subprocess.run(
        [sys.executable, str(PROGRAM), "--attacks", "none"], capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 2
    assert all(attack.__name__ in run.stderr for attack in ATTACKS)
