# SPDX-License-Identifier: MIT
"""Clients that ask rightly while others attack, each a process: is each answer right, and how long did it take?"""

from __future__ import annotations

import time
from collections.abc import Callable
from http.client import HTTPConnection
from typing import Any

import grpc
import numpy as np
from kserve.protocol.grpc.grpc_predict_v2_pb2_grpc import GRPCInferenceServiceStub

from .grpc_malformed import valid

Result = tuple[list[float], list[str]]


def keep_barrier(barrier: Any) -> None:
    """Is called in each new process."""
    global started
    started = barrier


def ask_rightly(make: Callable[[str], Callable[[int], bool]], http: str, grpc_: str, seconds: float) -> Result:
    """Asks and checks for a while; returns how long each answer took, and what was wrong."""
    started.wait(120)
    end = time.monotonic() + seconds
    ask = make(grpc_ if make is grpc_client else http)
    waits: list[float] = []
    wrong: list[str] = []
    number = 0
    while time.monotonic() < end:
        number = (number + 1) % 1000
        begun = time.monotonic()
        try:
            if not ask(number):
                wrong.append("an answer is wrong")
        except Exception as error:
            wrong.append(repr(error))
        waits.append(time.monotonic() - begun)
        time.sleep(0.02)
    return waits, wrong


def http_client(address: str) -> Callable[[int], bool]:
    """Asks the model affine by one connection."""
    connection = HTTPConnection(address, timeout=60)
    text = '{"inputs":[{"name":"x","datatype":"FP32","shape":[1,3],"data":[%d,2,3]}]}'

    def ask(number: int) -> bool:
        connection.request("POST", "/v2/models/affine/infer", text % number)
        answer = connection.getresponse()
        return answer.status == 200 and f'"data":[{number * 2 + 1}.0,5.0,7.0]'.encode() in answer.read()

    return ask


def grpc_client(address: str) -> Callable[[int], bool]:
    """Asks the model affine by one channel."""
    stub = GRPCInferenceServiceStub(grpc.insecure_channel(address))

    def ask(number: int) -> bool:
        request = valid("affine")
        request.raw_input_contents[0] = np.array([number, 2, 3], np.float32).tobytes()
        (raw,) = stub.ModelInfer(request, timeout=60).raw_output_contents
        return np.frombuffer(raw, np.float32).tolist() == [number * 2 + 1, 5, 7]

    return ask


def health_client(address: str) -> Callable[[int], bool]:
    """Asks whether the service is live, each time by a new connection, as orchestrators do."""

    def ask(number: int) -> bool:
        connection = HTTPConnection(address, timeout=60)
        connection.request("GET", "/v2/health/live")
        answer = connection.getresponse()
        try:
            return answer.status == 200 and answer.read() == b'{"live":true}'
        finally:
            connection.close()

    return ask
