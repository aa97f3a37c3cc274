# SPDX-License-Identifier: MIT
"""What hostile clients do to a service for a while, each kind on a thread of its own. Beside tools/attack_service.py,
which says what came of it."""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import grpc
import httpx
from kserve.protocol.grpc.grpc_predict_v2_pb2_grpc import GRPCInferenceServiceStub

from . import models
from .grpc_malformed import malformed_calls, valid
from .http_malformed import VALID, malformed_requests, send
from .openai_malformed import fault, malformed_openai_requests
from .running_service import Service

WIDE = 2_000_000  # numbers of the model `wide`, whose answers are long
BODY_SECONDS = 5  # of the service under attack


class Trial:
    """A service with the models of tools/attack_service.py, until when it is attacked, and what was seen."""

    def __init__(self, service: Service, folder: Path, seconds: float) -> None:
        self.service = service
        self.folder = folder
        self.end = time.monotonic() + seconds
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._lock = threading.Lock()

    @property
    def goes_on(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self.end

    def note(self, what: str, count: int = 1) -> None:
        """Counts something that was done."""
        with self._lock:
            self.counts[what] += count

    def expect(self, right: bool, said: str) -> None:
        """Notes what was wrong."""
        if not right:
            with self._lock:
                self.wrong.append(said[:500])

    def attack(self, attack: Callable[[Trial, int], None], seed: int) -> None:
        """Does what an attack does; what it did not foresee is wrong."""
        try:
            attack(self, seed)
        except Exception as error:
            self.expect(False, f"{attack.__name__}, seed {seed}: {error!r}")

    def connect(self) -> socket.socket:
        """A new connection to the HTTP port."""
        host, port = self.service.http.split(":")
        return socket.create_connection((host, int(port)), timeout=30)


def malformed_http(trial: Trial, seed: int) -> None:
    """Requests that are wrong, each with a status that is right for it."""
    host, port = trial.service.http.split(":")
    for kind, expected, request in malformed_requests(random.Random(seed), 10**9, "affine"):
        status = send(host, int(port), request, ends=None in expected)
        trial.note("malformed HTTP requests")
        trial.expect(status in expected, f"HTTP, seed {seed}: {kind} gave {status}, expected {expected}")
        if not trial.goes_on:
            return


def malformed_openai(trial: Trial, seed: int) -> None:
    """Requests to the paths of OpenAI's protocol that are wrong; each error is one clear line."""
    host, port = trial.service.http.split(":")
    for kind, expected, request in malformed_openai_requests(random.Random(seed), 10**9, "small"):
        said = fault(host, int(port), expected, request)
        trial.note("malformed requests to OpenAI's paths")
        trial.expect(said is None, f"OpenAI, seed {seed}: {kind}: {said}")
        if not trial.goes_on:
            return


def malformed_grpc(trial: Trial, seed: int) -> None:
    """Calls that are wrong, each with a status that is right for it."""
    for kind, expected, status in malformed_calls(trial.service.grpc, random.Random(seed), 10**9, "affine"):
        trial.note("malformed gRPC calls")
        trial.expect(status in expected, f"gRPC, seed {seed}: {kind} gave {status}, expected {expected}")
        if not trial.goes_on:
            return


def silent(trial: Trial, seed: int) -> None:
    """Opens 600 connections, more than there are places, that say nothing or half a line, and again those that end."""
    opened: list[socket.socket] = []
    while trial.goes_on:
        still = []
        for connection in opened:
            connection.setblocking(False)
            try:
                ended = connection.recv(1) == b""
            except BlockingIOError:
                ended = False
            except OSError:
                ended = True
            if ended:
                connection.close()
                trial.note("silent connections ended by the service")
            else:
                still.append(connection)
        opened = still
        while len(opened) < 600 and trial.goes_on:
            try:
                opened.append(trial.connect())
                opened[-1].sendall(b"" if len(opened) % 2 else b"POST /v2/models/affine/inf")
            except OSError:
                pass
            trial.note("silent connections")
        time.sleep(0.2)
    for connection in opened:
        connection.close()


def trickling(trial: Trial, seed: int) -> None:
    """Heads and bodies a byte at a time, until the service has enough of them."""
    body = b"POST /v2/models/affine/infer HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{"
    for start in itertools.cycle((b"POST /v2/mod", body)):
        begun = time.monotonic()
        with trial.connect() as connection:
            try:
                connection.sendall(start)
                while trial.goes_on:
                    connection.sendall(b" ")
                    time.sleep(0.1)
                    trial.expect(time.monotonic() - begun < 10 * BODY_SECONDS, f"{start!r} trickles on")
                return
            except OSError:
                trial.note("trickling requests ended by the service")


def leaving(trial: Trial, seed: int) -> None:
    """Asks a slow model by 20 connections and 20 calls, and goes before any answer."""
    body = json.dumps({"inputs": [{**VALID["inputs"][0], "shape": [1, 1], "data": [1]}]}).encode()
    head = f"POST /v2/models/slow/infer HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    call = valid("slow")
    call.inputs[0].shape[:] = [1, 1]
    call.raw_input_contents[0] = bytes(4)
    while trial.goes_on:
        connections = [trial.connect() for _ in range(20)]
        with grpc.insecure_channel(trial.service.grpc) as channel:
            calls = [GRPCInferenceServiceStub(channel).ModelInfer.future(call) for _ in range(20)]
            for connection in connections:
                try:
                    connection.sendall(head + body)
                except OSError:  # the service has closed it already, having no place
                    pass
                connection.close()
            for future in calls:
                future.cancel()
        trial.note("clients that went", 40)
        time.sleep(0.5)


def greedy(trial: Trial, seed: int) -> None:
    """Long JSON, just shorter than the limit and beyond it, and the same output a hundred times."""
    path = f"{trial.service.url}/v2/models"
    entry = {"name": "x", "datatype": "FP32", "shape": [1, 3], "data": [1, 2, 3]}
    for unit, size in itertools.cycle(itertools.product((b"1,", b"[],", b"{},", b'"",'), (4_000_000, 60_000_000))):
        text = b'{"inputs":[{"name":"x","shape":[1,3],"datatype":"FP32","data":[' + unit * (size // len(unit))
        answer = _post(trial, f"{path}/wide/infer", content=text[:-1] + b"]}]}")
        expected = 400 if size < 1 << 22 else 413
        trial.expect(answer in (expected, None), f"{size} bytes of JSON of {unit!r} gave {answer}")
        trial.note("long JSON")
        wishes = [{"name": "y", "parameters": {"binary_data": True}}] * 100
        answer = _post(trial, f"{path}/affine/infer", json={"inputs": [entry], "outputs": wishes})
        trial.expect(answer == 400, f"an output a hundred times gave {answer}")
        trial.note("repeated outputs")
        if not trial.goes_on:
            return


def _post(trial: Trial, url: str, **contents: object) -> int | None:
    try:
        return httpx.post(url, timeout=60, **contents).status_code  # type: ignore[arg-type]
    except (httpx.WriteError, httpx.ReadError, httpx.RemoteProtocolError):
        trial.note("long bodies given up by the service")  # they did not arrive in time
        return None


def unread(trial: Trial, seed: int) -> None:
    """Asks for long answers and does not read them."""
    tensor = {"name": "x", "datatype": "FP32", "shape": [1, WIDE], "parameters": {"binary_data_size": 4 * WIDE}}
    text = json.dumps({"inputs": [tensor], "parameters": {"binary_data_output": True}}).encode()
    head = f"POST /v2/models/wide/infer HTTP/1.1\r\nHost: x\r\nContent-Length: {len(text) + 4 * WIDE}\r\n"
    request = f"{head}Inference-Header-Content-Length: {len(text)}\r\n\r\n".encode() + text + bytes(4 * WIDE)
    while trial.goes_on:
        connections = [trial.connect() for _ in range(4)]
        for connection in connections:
            try:
                connection.sendall(request)
            except OSError:
                pass
            trial.note("answers that are not read")
        time.sleep(min(2 * BODY_SECONDS, max(trial.end - time.monotonic(), 0)))
        for connection in connections:
            connection.close()


def changing(trial: Trial, seed: int) -> None:
    """Reloads a model, and puts pipes and endless files where models and configurations are expected."""
    for number in itertools.count():
        models.write(trial.folder / "changing" / "1", (models.AFFINE, models.STEEPER)[number % 2])
        trial.note("reloads asked for")
        bad = trial.folder / "bad" / str(number % 5 + 1)
        shutil.rmtree(bad, ignore_errors=True)
        models.write(bad, models.AFFINE)
        name = ("config.toml", "model.pnnx.bin", "model.pnnx.param")[number % 3]
        (bad / name).unlink(missing_ok=True)
        os.mkfifo(bad / name) if number % 2 else (bad / name).symlink_to("/dev/zero")
        trial.note("pipes and endless files")
        time.sleep(0.5)
        if not trial.goes_on:
            return


ATTACKS: tuple[Callable[[Trial, int], None], ...] = (
    malformed_http, malformed_grpc, malformed_openai, silent, trickling, leaving, greedy, unread, changing,
)  # fmt: skip
