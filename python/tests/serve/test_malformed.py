# SPDX-License-Identifier: MIT
"""Requests that are wrong in all manner of ways get the status of a wrong request, and nothing else is disturbed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import tiny_decoder

from .grpc_malformed import malformed_calls
from .http_malformed import malformed_requests, send
from .openai_malformed import fault, malformed_openai_requests
from .running_service import Service, Start


@pytest.mark.parametrize("seed", [1, 2])
def test_malformed_http_requests(service: Service, seed: int) -> None:
    host, port = service.http.split(":")
    faults: dict[str, int] = {}
    for number, (kind, expected, request) in enumerate(malformed_requests(random.Random(seed), 500, "affine")):
        status = send(host, int(port), request, ends=None in expected)
        assert status in expected, f"seed {seed}, request {number}: {kind} gave {status}, expected {expected}"
        faults[kind] = faults.get(kind, 0) + 1
        if number % 50 == 0:
            assert service.infer("affine", [[1, 2, 3]]).json()["outputs"][0]["data"] == [5, 9, 13]
    assert len(faults) >= 15
    assert service.ready()


@pytest.mark.parametrize("seed", [3, 4])
def test_malformed_grpc_calls(service: Service, seed: int) -> None:
    for number, (kind, expected, status) in enumerate(
        malformed_calls(service.grpc, random.Random(seed), 200, "affine")
    ):
        assert status in expected, f"seed {seed}, call {number}: {kind} gave {status}, expected {expected}"
        if number % 50 == 0:
            assert service.infer("affine", [[1, 2, 3]]).json()["outputs"][0]["data"] == [5, 9, 13]
    assert service.ready()


@pytest.mark.parametrize("seed", [5, 6])
def test_malformed_requests_to_the_paths_of_openai(start: Start, tmp_path: Path, seed: int) -> None:
    tiny_decoder.write(tmp_path / "models" / "small" / "1", "threads = 1\n")
    service = start()
    service.wait(service.ready)
    host, port = service.http.split(":")
    for number, (kind, expected, request) in enumerate(malformed_openai_requests(random.Random(seed), 300, "small")):
        said = fault(host, int(port), expected, request)
        assert said is None, f"seed {seed}, request {number}: {kind}: {said}"
    assert service.ready()
    assert "Traceback" not in service.log.read_text()
