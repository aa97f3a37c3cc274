# SPDX-License-Identifier: MIT
"""Clients that send nothing, too slowly, too much, do not read, or go before their answer: others don't notice."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import grpc
import httpx
import numpy as np
import pytest
from kserve.protocol.grpc import grpc_predict_v2_pb2 as pb
from kserve.protocol.grpc.grpc_predict_v2_pb2_grpc import GRPCInferenceServiceStub

from kuiper_infer.serve.grpc_patience import Patience

from . import http2, models
from .running_service import Service, Start

SIZE = 384  # of the slow model's matrices
SLOW = np.ones((SIZE, SIZE), np.float32).tobytes()


@pytest.fixture
def slow_service(start: Start, tmp_path: Path) -> Iterator[Service]:
    """A service whose model takes about a second for each request, one after the other."""
    config = "workers = 1\nthreads = 1\n"
    models.write(tmp_path / "models" / "slow" / "1", models.slow(600), config)
    models.write(tmp_path / "models" / "affine" / "1", models.AFFINE, config)
    service = start()
    service.wait(service.ready)
    yield service


def connect(service: Service) -> socket.socket:
    host, port = service.http.split(":")
    return socket.create_connection((host, int(port)), timeout=60)


def receive(connection: socket.socket, first: bytes, last: bytes) -> None:
    """Receives an answer from its first bytes to its last."""
    answer = b""
    while not answer.endswith(last):
        part = connection.recv(10_000)
        assert part
        answer += part
    assert answer.startswith(first)


def slow_request() -> bytes:
    tensor = {"name": "x", "datatype": "FP32", "shape": [SIZE, SIZE], "parameters": {"binary_data_size": len(SLOW)}}
    wish = {"name": "y", "parameters": {"binary_data": True}}
    text = json.dumps({"inputs": [tensor], "outputs": [wish]}).encode()
    head = f"POST /v2/models/slow/infer HTTP/1.1\r\nHost: x\r\nContent-Length: {len(text) + len(SLOW)}\r\n"
    return f"{head}Inference-Header-Content-Length: {len(text)}\r\n\r\n".encode() + text + SLOW


def queue_of(service: Service) -> float:
    return service.metric("kuiper_infer_queue_length", model="slow")


def test_a_request_whose_http_client_has_gone_is_not_computed(slow_service: Service) -> None:
    with ExitStack() as clients:
        for _ in range(10):
            clients.enter_context(connect(slow_service)).sendall(slow_request())
        slow_service.wait(lambda: queue_of(slow_service) >= 6)
    slow_service.wait(lambda: queue_of(slow_service) == 0)
    slow_service.wait(lambda: slow_service.metric("kuiper_infer_answers_total", status="499") >= 6)
    assert slow_service.metric("kuiper_infer_requests_total", model="slow") < 6


def test_a_request_whose_grpc_client_has_gone_is_not_computed(slow_service: Service) -> None:
    tensor = {"name": "x", "datatype": "FP32", "shape": [SIZE, SIZE]}
    request = pb.ModelInferRequest(model_name="slow", inputs=[tensor], raw_input_contents=[SLOW])
    with grpc.insecure_channel(slow_service.grpc) as channel:
        stub = GRPCInferenceServiceStub(channel)
        calls = [stub.ModelInfer.future(request) for _ in range(10)]
        slow_service.wait(lambda: queue_of(slow_service) >= 6)
        for call in calls[:5]:
            call.cancel()
        slow_service.wait(lambda: queue_of(slow_service) <= 5)
    # The channel is closed with the others.
    slow_service.wait(lambda: queue_of(slow_service) == 0)
    slow_service.wait(lambda: slow_service.metric("kuiper_infer_answers_total", status="CANCELLED") >= 6)
    assert slow_service.metric("kuiper_infer_requests_total", model="slow") < 6


def test_silent_connections_give_up_their_places_and_health_is_answered(start: Start, tmp_path: Path) -> None:
    models.write(tmp_path / "models" / "affine" / "1", models.AFFINE)
    service = start("--max-requests", "2", "--head-seconds", "2", "--body-seconds", "2")
    service.wait(service.ready)
    with ExitStack() as opened, httpx.Client() as kept:
        silent = [opened.enter_context(connect(service)) for _ in range(100)]  # more than there are places
        for connection in silent[::2]:
            connection.sendall(b"GET /v2/health/live HTTP/1.1\r\nHost:")
        for _ in range(5):
            assert kept.get(f"{service.url}/v2/health/live").status_code == 200
            assert service.infer("affine", [[1, 2, 3]]).status_code == 200
        begun = time.monotonic()
        for connection in silent:
            try:
                assert connection.recv(1) == b""
            except ConnectionResetError:
                pass
        assert time.monotonic() - begun < 60
        assert kept.get(f"{service.url}/v2/health/live").status_code == 200


def test_heads_that_trickle_are_given_up(start: Start) -> None:
    service = start("--head-seconds", "1")
    service.wait(service.ready)
    with connect(service) as connection:
        begun = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() - begun < 60:
                connection.sendall(b"a")
                time.sleep(0.05)
        assert time.monotonic() - begun < 60


def test_an_unread_body_is_passed_over_for_a_while(start: Start, tmp_path: Path) -> None:
    models.write(tmp_path / "models" / "affine" / "1", models.AFFINE, "[limits]\nmax_json_bytes = 1000\n")
    service = start("--body-seconds", "1")
    service.wait(service.ready)
    with connect(service) as connection:
        connection.sendall(b"POST /v2/models/affine/infer HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n")
        receive(connection, b"HTTP/1.1 413 ", b"}")  # before any of it was sent
        connection.sendall(b" " * 2000 + b"GET /v2/health/live HTTP/1.1\r\nHost: x\r\n\r\n")
        receive(connection, b"HTTP/1.1 200 ", b"}")
    with connect(service) as connection:
        connection.sendall(b"GET /v2/health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n")
        receive(connection, b"HTTP/1.1 200 ", b"}")
        begun = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() - begun < 60:
                connection.sendall(b" ")
                time.sleep(0.05)
        assert time.monotonic() - begun < 60


def test_an_answer_that_is_not_read_is_given_up(start: Start, tmp_path: Path) -> None:
    wide = models.AFFINE.replace("(1,3)", "(1,5000000)")
    models.write(tmp_path / "models" / "affine" / "1", wide, "workers = 1\n")
    service = start("--body-seconds", "2")
    service.wait(service.ready)
    body = np.zeros(5_000_000, np.float32).tobytes()
    tensor = {"name": "x", "datatype": "FP32", "shape": [1, 5_000_000], "parameters": {"binary_data_size": len(body)}}
    text = json.dumps({"inputs": [tensor], "parameters": {"binary_data_output": True}}).encode()
    head = f"POST /v2/models/affine/infer HTTP/1.1\r\nHost: x\r\nContent-Length: {len(text) + len(body)}\r\n"
    with connect(service) as connection:
        connection.sendall(f"{head}Inference-Header-Content-Length: {len(text)}\r\n\r\n".encode() + text + body)
        service.wait(lambda: service.metric("kuiper_infer_answers_total", status="200") == 1)
        time.sleep(5)
        received = 0
        try:
            while part := connection.recv(1 << 20):
                received += len(part)
        except ConnectionResetError:
            pass
    assert received < len(body)


def test_silent_grpc_connections_end(start: Start) -> None:
    service = start("--head-seconds", "1", "--max-requests", "2")
    service.wait(service.ready)
    host, port = service.grpc.split(":")
    with ExitStack() as opened:
        silent = [opened.enter_context(socket.create_connection((host, int(port)), timeout=60)) for _ in range(100)]
        begun = time.monotonic()
        for connection in silent:
            try:
                while connection.recv(1000):  # the server's settings, then the end
                    pass
            except ConnectionResetError:
                pass
        assert time.monotonic() - begun < 60
    with grpc.insecure_channel(service.grpc) as channel:
        assert GRPCInferenceServiceStub(channel).ServerLive(pb.ServerLiveRequest(), timeout=60).live


async def hang() -> None:
    await asyncio.sleep(600)


def test_calls_wait_for_their_client_for_a_while_and_not_too_many() -> None:
    async def call(patience: Patience) -> None:
        patience.wait()
        await hang()

    async def run() -> None:
        patience = Patience(2, 0.2)
        calls = [asyncio.create_task(call(patience)) for _ in range(3)]
        done, others = await asyncio.wait(calls, timeout=0.1, return_when=asyncio.FIRST_COMPLETED)
        assert (done, len(others)) == ({calls[0]}, 2)
        done, others = await asyncio.wait(calls, timeout=60)
        assert not others
        assert all(task.cancelled() for task in done)
        assert not patience.waiting

    asyncio.run(run())


def test_a_call_whose_client_does_its_part_is_left_alone() -> None:
    async def call(patience: Patience) -> int:
        wait = patience.wait()
        wait.end()
        await asyncio.sleep(0.3)
        wait.begin()
        return 7

    async def run() -> None:
        patience = Patience(1, 0.1)
        assert await asyncio.gather(*(asyncio.create_task(call(patience)) for _ in range(3))) == [7] * 3
        assert not patience.waiting

    asyncio.run(run())


@pytest.mark.parametrize("reads", [False, True])
def test_grpc_calls_that_wait_for_their_client_do_not_keep_others_from_theirs(
    start: Start, tmp_path: Path, reads: bool
) -> None:
    models.write(tmp_path / "models" / "affine" / "1", models.AFFINE)
    service = start("--max-requests", "2")
    service.wait(service.ready)
    tensor = {"name": "x", "datatype": "FP32", "shape": [1, 3]}
    request = pb.ModelInferRequest(model_name="affine", inputs=[tensor], raw_input_contents=[bytes(12)])
    host, port = service.grpc.split(":")
    with ExitStack() as opened, grpc.insecure_channel(service.grpc) as channel:
        stub = GRPCInferenceServiceStub(channel)
        for _ in range(2):  # connections, each with nearly as many calls as wait in all
            connection = opened.enter_context(socket.create_connection((host, int(port)), timeout=60))
            connection.sendall(http2.settings(window=0))
            for stream in range(1, 120, 2):
                call = http2.call("/inference.GRPCInferenceService/ModelInfer", stream)
                connection.sendall(call if reads else call + http2.message(request.SerializeToString(), stream))
                time.sleep(0.005)
        for _ in range(5):
            assert stub.ServerLive(pb.ServerLiveRequest(), timeout=60).live
            assert stub.ModelInfer(request, timeout=60)
    assert "Traceback" not in service.log.read_text()
