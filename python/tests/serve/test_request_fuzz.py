# SPDX-License-Identifier: MIT
"""The program that sends a service requests from a grammar finds nothing; some hundreds of them here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from . import request_fuzz

pytest.importorskip("llguidance", reason="schemas need the extra 'guided'")

PROGRAM = Path(__file__).parents[3] / "tools" / "fuzz_service.py"


def test_some_requests() -> None:
    command = [sys.executable, str(PROGRAM), "--count", "400", "--seconds", "120", "--seed", "7"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 findings" in run.stdout
    for path in ("chat/completions", "completions", "embeddings"):  # right requests and wrong ones of each path
        assert f" {path} 200" in run.stdout
        assert f" {path} 400" in run.stdout


def test_a_request_depends_on_its_numbers_alone() -> None:
    made = [request_fuzz.request(3, number) for number in range(50)]
    assert [request_fuzz.request(3, number) for number in reversed(range(50))] == made[::-1]
    assert len(set(made)) == 50


@pytest.mark.parametrize(
    "status, kind, body, said",
    [
        (500, "application/json", b'{"error": {"message": "it broke"}}', "status is 500"),
        (200, "application/json", b"<html>", "no JSON"),
        (200, "application/json", b"{}", "the answer is"),
        (400, "application/json", b'{"detail": "wrong"}', "the error is"),
        (400, "application/json", json.dumps({"error": {"message": "two\nlines"}}).encode(), "the error is"),
        (200, "text/event-stream", b'data: {"choices": []}\n\n', "the stream ends"),
        (200, "text/event-stream", b"data: {\n\n", "no JSON"),
        (200, "text/event-stream", b'data: {"error": {"type": "server_error", "message": "it broke"}}\n\n', "error"),
    ],
)
def test_wrong_answers_are_found(status: int, kind: str, body: bytes, said: str) -> None:
    assert said in (request_fuzz.wrong_answer(status, kind, body) or "nothing")


def test_right_answers_are_not_found() -> None:
    for status, kind, body in [
        (200, "application/json", b'{"choices": []}'),
        (429, "application/json", b'{"error": {"message": "too many requests"}}'),
        (200, "text/event-stream", b'data: {"choices": []}\n\ndata: [DONE]\n\n'),
    ]:
        assert request_fuzz.wrong_answer(status, kind, body) is None
