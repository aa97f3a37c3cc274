# SPDX-License-Identifier: MIT
"""The protocol over HTTP, asked by a plain HTTP client."""

from __future__ import annotations

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection

import httpx
import numpy as np
import pytest

from .running_service import Service


def test_the_service_describes_itself(service: Service) -> None:
    about = httpx.get(f"{service.url}/v2").json()
    assert about["name"] == "kuiper_infer"
    assert about["extensions"] == ["binary_tensor_data", "statistics", "model_info"]
    assert httpx.get(f"{service.url}/v2/health/live").json() == {"live": True}
    assert httpx.get(f"{service.url}/v2/health/ready").json() == {"ready": True}
    assert httpx.get(f"{service.url}/v2/models").json() == {"models": ["affine", "pair", "slow"]}


def test_models_are_described_with_free_rows(service: Service) -> None:
    described = httpx.get(f"{service.url}/v2/models/pair").json()
    assert described == {
        "name": "pair",
        "versions": ["1"],
        "platform": "kuiper_infer_pnnx",
        "inputs": [
            {"name": "a", "datatype": "FP32", "shape": [-1, 2]},
            {"name": "b", "datatype": "INT64", "shape": [-1, 2]},
        ],
        "outputs": [
            {"name": "more", "datatype": "FP32", "shape": [-1, 2]},
            {"name": "twice", "datatype": "INT64", "shape": [-1, 2]},
        ],
    }
    assert httpx.get(f"{service.url}/v2/models/slow").json()["inputs"][0]["shape"] == [384, 384]


def test_a_name_is_its_highest_version(service: Service) -> None:
    assert httpx.get(f"{service.url}/v2/models/affine").json()["versions"] == ["1", "3"]
    for path, version, factor in (("affine", "3", 4), ("affine/versions/1", "1", 2), ("affine/versions/3", "3", 4)):
        answer = service.infer(path, [[1, 2, 3]]).json()
        assert answer["model_version"] == version
        assert answer["outputs"][0]["data"] == [factor * 1 + 1, factor * 2 + 1, factor * 3 + 1]
        assert httpx.get(f"{service.url}/v2/models/{path}/ready").status_code == 200


def test_json_may_be_nested_and_outputs_chosen(service: Service) -> None:
    body = {
        "id": "forty-two",
        "inputs": [
            {"name": "b", "shape": [1, 2], "datatype": "INT64", "data": [[9007199254740993, -1]]},
            {"name": "a", "shape": [1, 2], "datatype": "FP32", "data": [[0.5, 2]]},
        ],
        "outputs": [{"name": "twice"}],
    }
    answer = httpx.post(f"{service.url}/v2/models/pair/infer", json=body)
    assert answer.json() == {
        "id": "forty-two",
        "model_name": "pair",
        "model_version": "1",
        "outputs": [{"name": "twice", "datatype": "INT64", "shape": [1, 2], "data": [18014398509481986, -2]}],
    }


def test_raw_arrays_follow_the_json(service: Service) -> None:
    a, b = np.array([[0.5, 2]], np.float32), np.array([[3, 4]], np.int64)
    head = json.dumps(
        {
            "inputs": [
                {"name": "a", "shape": [1, 2], "datatype": "FP32", "parameters": {"binary_data_size": 8}},
                {"name": "b", "shape": [1, 2], "datatype": "INT64", "parameters": {"binary_data_size": 16}},
            ],
            "outputs": [{"name": "twice", "parameters": {"binary_data": True}}, {"name": "more"}],
        }
    ).encode()
    headers = {"Inference-Header-Content-Length": str(len(head))}
    answer = httpx.post(
        f"{service.url}/v2/models/pair/infer", content=head + a.tobytes() + b.tobytes(), headers=headers
    )
    length = int(answer.headers["Inference-Header-Content-Length"])
    twice, more = json.loads(answer.content[:length])["outputs"]
    assert twice["parameters"] == {"binary_data_size": 16}
    np.testing.assert_array_equal(np.frombuffer(answer.content[length:], np.int64), [6, 8])
    assert more["data"] == [1.5, 3]


def test_2000_distinct_requests_of_64_clients_are_never_mixed(service: Service) -> None:
    before = service.metric("kuiper_infer_batch_requests_count", model="affine", version="3")

    def client(first: int) -> int:
        connection = HTTPConnection(service.http, timeout=60)
        for number in range(first, 2000, 64):
            tensor = {"name": "x", "shape": [1, 3], "datatype": "FP32", "data": [number, -number, 0.5]}
            connection.request("POST", "/v2/models/affine/infer", json.dumps({"id": str(number), "inputs": [tensor]}))
            answer = json.loads(connection.getresponse().read())
            assert answer["id"] == str(number)
            assert answer["outputs"][0]["data"] == [4 * number + 1, -4 * number + 1, 3]
        return len(range(first, 2000, 64))

    with ThreadPoolExecutor(64) as threads:
        assert sum(threads.map(client, range(64))) == 2000
    batches = service.metric("kuiper_infer_batch_requests_count", model="affine", version="3") - before
    assert batches < 2000  # some ran together


def test_the_metrics_count(service: Service) -> None:
    names = {"model": "pair", "version": "1"}
    before = {p: service.metric("kuiper_infer_phase_seconds_count", phase=p, **names) for p in ("queue", "run")}
    answered = service.metric("kuiper_infer_answers_total", protocol="http", status="400")
    test_json_may_be_nested_and_outputs_chosen(service)
    service.infer("pair", [[1]])
    for phase, count in before.items():
        assert service.metric("kuiper_infer_phase_seconds_count", phase=phase, **names) == count + 1
    assert service.metric("kuiper_infer_answers_total", protocol="http", status="400") == answered + 1
    assert service.metric("kuiper_infer_model_ready") == 4


def slow_request(service: Service, **parameters: object) -> httpx.Response:
    size = 384
    tensor = {"name": "x", "shape": [size, size], "datatype": "FP32", "data": [1] * size**2}
    body = {"inputs": [tensor], "parameters": parameters, "outputs": [{"name": "y"}]}
    return httpx.post(f"{service.url}/v2/models/slow/infer", json=body, timeout=30)


def test_a_deadline_ends_the_wait_and_the_run(service: Service) -> None:
    slow_request(service)
    begun = time.monotonic()
    assert slow_request(service).status_code == 200
    whole = time.monotonic() - begun
    begun = time.monotonic()
    late = slow_request(service, timeout=20_000)
    assert late.status_code == 504
    assert "deadline" in late.json()["error"]
    assert time.monotonic() - begun < whole


def test_other_requests_are_answered_while_runs_take_their_time(service: Service) -> None:
    with ThreadPoolExecutor(8) as threads:
        slow = [threads.submit(slow_request, service) for _ in range(8)]
        waits = []
        with httpx.Client() as client:  # making one takes longer than asking
            while not all(request.done() for request in slow):
                begun = time.monotonic()
                assert client.get(f"{service.url}/v2/health/live").status_code == 200
                waits.append(time.monotonic() - begun)
    # As many runs as the machine has cores, and two in the queue.
    codes = [request.result().status_code for request in slow]
    assert set(codes) <= {200, 429}
    assert codes.count(200) >= 3
    assert sorted(waits)[len(waits) // 2] < 0.25


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v2/models/nowhere", 404),
        ("GET", "/v2/models/affine/versions/2", 404),
        ("GET", "/v2/models/affine/versions/x/ready", 404),
        ("GET", "/v2/elsewhere", 404),
        ("GET", "/elsewhere", 404),
        ("DELETE", "/v2/models/affine", 405),
        ("GET", "/v2/models/affine/infer", 404),
        ("GET", "/v2/models/affine/config", 501),
        ("POST", "/v2/repository/models/affine/unload", 501),
        ("GET", "/v2/systemsharedmemory/status", 501),
    ],
)
def test_what_is_not_there_has_a_status_and_a_reason(service: Service, method: str, path: str, status: int) -> None:
    answer = httpx.request(method, service.url + path)
    assert answer.status_code == status
    assert answer.json()["error"]


def test_bodies_are_limited(service: Service) -> None:
    path = f"{service.url}/v2/models/affine/infer"
    assert httpx.post(path, content=b" " * 1_000_001).status_code == 413
    assert httpx.post(path, content=(b" " * 100_000 for _ in range(11))).status_code == 413
    answer = httpx.post(path, content=b"x", headers={"Content-Encoding": "gzip"})
    assert (answer.status_code, "gzip" in answer.json()["error"]) == (415, True)


def test_a_body_that_does_not_arrive_is_given_up(service: Service) -> None:
    host, port = service.http.split(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(b"POST /v2/models/affine/infer HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        assert connection.recv(1000).startswith(b"HTTP/1.1 408 ")


def test_huge_headers_are_refused(service: Service) -> None:
    host, port = service.http.split(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(b"GET /v2 HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * 200_000)
        assert connection.recv(1000).startswith(b"HTTP/1.1 400 ")
    assert service.infer("affine", [[1, 2, 3]]).status_code == 200
