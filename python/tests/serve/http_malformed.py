# SPDX-License-Identifier: MIT
"""Malformed HTTP requests, made by a seeded generator: what is sent, and which statuses are right."""

from __future__ import annotations

import copy
import json
import random
import socket
from collections.abc import Callable, Iterator
from typing import Any

Request = tuple[bytes, bytes]  # head and body
Case = tuple[str, tuple[int | None, ...], Request]  # None: the connection ended without an answer

VALID = {"id": "1", "inputs": [{"name": "x", "shape": [1, 3], "datatype": "FP32", "data": [1, 2, 3]}]}


def head(path: str, length: int | str, **headers: str) -> bytes:
    """The head of a POST."""
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Length: {length}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def malformed_requests(random_: random.Random, count: int, model: str) -> Iterator[Case]:
    """Makes `count` requests to a model with one FP32 input 'x' of shape [rows, 3]."""
    path = f"/v2/models/{model}/infer"
    for number in range(count):
        # Each kind of fault in turn, each time in another way.
        kind = KINDS[number % len(KINDS)]
        yield kind.__name__, *kind(random_, path)


def _as_request(path: str, table: Any) -> Request:
    body = json.dumps(table).encode()
    return head(path, len(body)), body


def body_cut(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    whole = json.dumps(VALID).encode()
    body = whole[: random_.randrange(len(whole))]
    return (400,), (head(path, len(body)), body)


def connection_cut(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    whole = json.dumps(VALID).encode()
    return (400, None), (head(path, len(whole)), whole[: random_.randrange(len(whole))])


def noise(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    body = random_.randbytes(random_.randrange(1, 300))
    return (400,), (head(path, len(body)), body)


def wrong_shape(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    table = copy.deepcopy(VALID)
    shapes: list[Any] = [
        [3],
        [1, 4],
        [2, 3],
        [-1, 3],
        [1, -3],
        [0, 3],
        [1, 3, 1],
        [1.0, 3],
        ["1", 3],
        [True, 3],
        None,
        3,
    ]
    shapes += ["13", {}, [2**70, 3], [2**63, 0], [1] * 70 + [3], [[1, 3]]]
    table["inputs"][0]["shape"] = random_.choice(shapes)
    return (400,), _as_request(path, table)


def wrong_type(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    table = copy.deepcopy(VALID)
    types: list[Any] = ["FP64", "INT32", "BOOL", "BYTES", "FP16", "BF16", "", "fp 32", None, 32, ["FP32"], "x" * 10_000]
    table["inputs"][0]["datatype"] = random_.choice(types)
    return (400,), _as_request(path, table)


def wrong_data(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    table = copy.deepcopy(VALID)
    data: list[Any] = [
        [1, 2],
        [1, 2, 3, 4],
        [],
        None,
        "123",
        7,
        {},
        ["a", "b", "c"],
        [None] * 3,
        [True] * 3,
        [[1, 2], 3],
    ]
    data += [[{}] * 3, [[[[1]]], 2, 3]]
    table["inputs"][0]["data"] = random_.choice(data)
    return (400,), _as_request(path, table)


def wrong_name(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    table = copy.deepcopy(VALID)
    table["inputs"][0]["name"] = random_.choice(["X", "", "x ", "\0", "y", None, 5, ["x"], "x" * 50_000, "\u2028"])
    return (400,), _as_request(path, table)


def wrong_inputs(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    one = VALID["inputs"][0]
    inputs: list[Any] = [
        [],
        [one, one],
        [one, {**one, "name": "y"}],
        None,
        "x",
        1,
        {},
        [None],
        [[one]],
        ["x"],
        {"x": one},
    ]
    return (400,), _as_request(path, {**VALID, "inputs": random_.choice(inputs)})


def missing_key(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    table = copy.deepcopy(VALID)
    key = random_.choice(["name", "shape", "datatype", "data", "inputs"])
    del (table if key == "inputs" else table["inputs"][0])[key]
    return (400,), _as_request(path, table)


def wrong_outputs(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    outputs = random_.choice(
        [[{"name": "z"}], [{}], "y", [5], [{"name": 5}], {"name": "y"}, [{"name": "y"}, {"name": ""}]]
    )
    return (400,), _as_request(path, {**VALID, "outputs": outputs})


def wrong_top(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    return (400,), _as_request(path, random_.choice([[], [VALID], None, 5, "text", True, {}, {"instances": [1]}]))


def wrong_parameters(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    parameters = random_.choice(
        [5, "x", [1], {"timeout": "soon"}, {"timeout": -1}, {"timeout": 1.5}, {"timeout": True}]
    )
    return (400,), _as_request(path, {**VALID, "parameters": parameters})


def wrong_id(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    return (400,), _as_request(path, {**VALID, "id": random_.choice([5, [], {}, True, 1.5])})


def deep(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    depth = random_.choice([100, 1000, 100_000])
    body = (
        b'{"inputs":[{"name":"x","shape":[1,3],"datatype":"FP32","data":' + b"[" * depth + b"1" + b"]" * depth + b"}]}"
    )
    return (400,), (head(path, len(body)), body)


def wrong_binary_size(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    size = random_.choice([0, 11, 13, 24, -12, 2**40, "12", 12.0, None, True])
    tensor = {"name": "x", "shape": [1, 3], "datatype": "FP32", "parameters": {"binary_data_size": size}}
    text = json.dumps({"inputs": [tensor]}).encode()
    body = text + bytes(12)
    return (400,), (head(path, len(body), Inference_Header_Content_Length=str(len(text))), body)


def wrong_json_length(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    body = json.dumps(VALID).encode()
    wrong = ["-1", "x", "", "1e3", str(len(body) + 1), str(random_.randrange(len(body))), "9" * 400, "0x10", "\xb2"]
    return (400,), (head(path, len(body), Inference_Header_Content_Length=random_.choice(wrong)), body)


def huge_header(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    # The service may close before all of the header has been sent.
    return (400, 431, None), (head(path, 0, X_Long="a" * random_.randrange(100_000, 2_000_000)), b"")


def many_headers(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    headers = {f"X_{number}": "a" * 100 for number in range(random_.randrange(1000, 5000))}
    return (400, 431, None), (head(path, 0, **headers), b"")


def wrong_length(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    body = json.dumps(VALID).encode()
    return (400, None), (head(path, random_.choice(["-5", "x", "1.5", "9" * 30, "5, 6"])), body)


def wrong_path(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    wrong = ["/v2/models/none/infer", path.replace("/infer", "/versions/99/infer"), "/v2/models//infer", path + "/x"]
    wrong += [
        "/v2/models/%2e%2e/infer",
        "/v2/models/a%2fb/infer",
        "/v2/models/" + "m" * 3000 + "/infer",
    ]
    body = json.dumps(VALID).encode()
    if random_.random() < 0.1:
        return (400,), (head("/v2/models/\xff/infer", len(body)), body)
    return (404,), (head(random_.choice(wrong), len(body)), body)


def wrong_start(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    start = random_.choice(
        [b"", b"\0" * 50, b"INFER\r\n\r\n", b"GET\r\n\r\n", b"POST / HTTP/9.9\r\n\r\n", random_.randbytes(80)]
    )
    return (400, 404, 405, 505, None), (start + b"\r\n\r\n", b"")


def too_long(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    body = b" " * random_.randrange(1_000_001, 1_500_000)
    return (413,), (head(path, len(body)), body)


def wrong_encoding(random_: random.Random, path: str) -> tuple[tuple[int | None, ...], Request]:
    body = random_.randbytes(50)
    return (415,), (head(path, len(body), Content_Encoding=random_.choice(["gzip", "br", "x"])), body)


KINDS: tuple[Callable[[random.Random, str], tuple[tuple[int | None, ...], Request]], ...] = (
    body_cut, connection_cut, noise, wrong_shape, wrong_type, wrong_data, wrong_name, wrong_inputs, missing_key,
    wrong_outputs, wrong_top, wrong_parameters, wrong_id, deep, wrong_binary_size, wrong_json_length, huge_header,
    many_headers, wrong_length, wrong_path, wrong_start, too_long, wrong_encoding,
)  # fmt: skip


def send(host: str, port: int, request: Request, ends: bool) -> int | None:
    """Sends a request and returns the status of the answer. `ends`: the service hears that nothing more will come."""
    return status_of(exchange(host, port, request, ends))


def exchange(host: str, port: int, request: Request, ends: bool, seconds: float = 60.0) -> bytes:
    """Sends a request and returns all that comes until the connection ends."""
    with socket.create_connection((host, port), timeout=seconds) as connection:
        answer = b""
        try:
            connection.sendall(b"".join(request))
            if ends:
                connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the service has closed its side; its answer may be there all the same
        try:
            while part := connection.recv(65_536):
                answer += part
        except ConnectionResetError:
            pass
    return answer


def status_of(answer: bytes) -> int | None:
    """The status of an answer; None if there is none."""
    words = answer.split(b" ", 2)
    return int(words[1]) if len(words) > 1 and words[0].startswith(b"HTTP/") else None
