# SPDX-License-Identifier: MIT
"""What one request may cost, and what an answer tells: bounded before it is made, without what is not the client's."""

from __future__ import annotations

import json
import math
import random
import struct
from pathlib import Path

import grpc
import httpx
import numpy as np
import orjson
import pytest
from kserve.protocol.grpc import grpc_predict_v2_pb2 as pb
from kserve.protocol.grpc.grpc_predict_v2_pb2_grpc import GRPCInferenceServiceStub

from kuiper_infer.serve.errors import ServeError, Status, shown
from kuiper_infer.serve.grpc_codec import check_message
from kuiper_infer.serve.json_codec import _TEXT
from kuiper_infer.serve.load_errors import NotServable, why_not_loaded

from . import models
from .running_service import Service, Start


def ask(service: Service, model: str, **entries: object) -> httpx.Response:
    tensor = {"name": "x", "datatype": "FP32", "shape": [1, 3], "data": [1, 2, 3]}
    return httpx.post(f"{service.url}/v2/models/{model}/infer", json={"inputs": [tensor], **entries}, timeout=30)


def grpc_failure(service: Service, request: pb.ModelInferRequest) -> tuple[str, str]:
    with grpc.insecure_channel(service.grpc) as channel, pytest.raises(grpc.RpcError) as error:
        GRPCInferenceServiceStub(channel).ModelInfer(request, timeout=60)
    return error.value.code().name, error.value.details()


def grpc_request(count: int = 3) -> pb.ModelInferRequest:
    tensor = {"name": "x", "datatype": "FP32", "shape": [count // 3, 3]}
    return pb.ModelInferRequest(model_name="affine", inputs=[tensor], raw_input_contents=[bytes(4 * count)])


def test_an_output_is_given_once(service: Service) -> None:
    answer = ask(service, "affine", outputs=[{"name": "y"}] * 100)
    assert (answer.status_code, answer.json()["error"]) == (400, "output 'y' is asked for twice")
    request = grpc_request()
    for _ in range(2):
        request.outputs.add(name="y")
    assert grpc_failure(service, request) == ("INVALID_ARGUMENT", "output 'y' is asked for twice")


def test_answers_are_limited(start: Start, tmp_path: Path) -> None:
    limits = "[limits]\nmax_response_bytes = 1200\nmax_json_bytes = 2000\n"
    models.write(tmp_path / "models" / "affine" / "1", models.AFFINE, limits)
    service = start()
    service.wait(service.ready)
    for rows, binary, status in ((100, True, 200), (101, True, 413), (20, False, 200), (40, False, 413)):
        x = np.zeros((rows, 3), np.float32)
        tensor = {"name": "x", "datatype": "FP32", "shape": x.shape, "parameters": {"binary_data_size": x.nbytes}}
        text = json.dumps({"inputs": [tensor], "parameters": {"binary_data_output": binary}}).encode()
        headers = {"Inference-Header-Content-Length": str(len(text))}
        path = f"{service.url}/v2/models/affine/infer"
        answer = httpx.post(path, content=text + x.tobytes(), headers=headers)
        assert answer.status_code == status, (rows, binary)
        if status == 413:
            said = "the outputs have 1212 bytes, the model's limit is 1200"
            if not binary:
                said = "the outputs may take 2040 bytes as JSON, the model's limit is 2000; ask for binary data"
            assert answer.json()["error"] == said
    assert grpc_failure(service, grpc_request(303)) == (
        "RESOURCE_EXHAUSTED",
        "the outputs have 1212 bytes, the model's limit is 1200",
    )


def test_json_has_a_limit_of_its_own(start: Start, tmp_path: Path) -> None:
    models.write(tmp_path / "models" / "affine" / "1", models.AFFINE, "[limits]\nmax_json_bytes = 1000\n")
    service = start()
    service.wait(service.ready)
    assert ask(service, "affine", id="a" * 500).status_code == 200
    path = f"{service.url}/v2/models/affine/infer"
    said = "the body has more than 1000 bytes, the limit of JSON; raw arrays may be longer"
    for content in (b" " * 1001, (b" " * 100 for _ in range(11))):  # announced, and found as it comes
        answer = httpx.post(path, content=content)
        assert (answer.status_code, answer.json()["error"]) == (413, said)
    answer = httpx.post(path, content=b" " * 1001, headers={"Inference-Header-Content-Length": "1001"})
    assert (answer.status_code, answer.json()["error"]) == (413, "JSON has more than 1000 bytes, the model's limit")
    request = grpc_request()
    del request.raw_input_contents[:]
    request.inputs[0].contents.fp32_contents.extend([1] * 300)
    code, text = grpc_failure(service, request)
    assert (code, "the message has more than 1000 bytes" in text) == ("RESOURCE_EXHAUSTED", True)


def test_grpc_messages_are_measured_before_they_are_parsed() -> None:
    check_message(grpc_request(30_000).SerializeToString(), 100)
    many = pb.ModelInferRequest(raw_input_contents=[b""] * 20_000).SerializeToString()
    typed = grpc_request()
    typed.inputs[0].contents.bool_contents.extend([True] * 1000)
    for message in (many, typed.SerializeToString(), b"\x18\x01" * 1000, b"\x1b" * 1000, b"\x1d1234" * 1000):
        with pytest.raises(ServeError) as error:
            check_message(message, 500)
        assert error.value.status is Status.TOO_LARGE
    random_ = random.Random(5)
    for _ in range(2000):  # whatever comes, it ends
        message = random_.randbytes(random_.randrange(1000))
        try:
            check_message(message, random_.randrange(1000))
        except ServeError:
            pass


def test_long_names_are_cut_where_they_are_quoted(service: Service) -> None:
    assert len(shown("a" * 1_000_000)) < 120
    assert len(shown([["b" * 1000] * 1000] * 1000)) < 500
    long = "x" * 5000
    tensor = {"name": "x", "datatype": "FP32", "shape": [1, 3], "data": [1, 2, 3]}
    for inputs in (
        [{**tensor, "name": long}],
        [{**tensor, "datatype": long}],
        [{**tensor, "shape": [1] * 5000}],
        [{**tensor, "shape": [-1] * 60}],
        [tensor, {**tensor, "name": long}, {**tensor, "name": long}],
    ):
        answer = ask(service, "affine", inputs=inputs)
        assert answer.status_code == 400
        assert len(answer.text) < 600
    assert len(ask(service, "affine", parameters={"timeout": long}).text) < 600
    assert len(ask(service, "affine", outputs=[{"name": long}]).text) < 600
    assert len(ask(service, long).text) < 600
    assert len(httpx.get(f"{service.url}/v2/{long}").text) < 600
    for change in ("model_name", "model_version"):
        request = grpc_request()
        setattr(request, change, long * 10)
        assert len(grpc_failure(service, request)[1]) < 600
    request = grpc_request()
    request.inputs[0].name = long * 10
    assert len(grpc_failure(service, request)[1]) < 600
    request.inputs[0].contents.fp32_contents.append(1)
    assert len(grpc_failure(service, request)[1]) < 600


def test_who_asks_for_an_unknown_model_is_not_told_the_known_ones(service: Service) -> None:
    assert ask(service, "none").json()["error"] == "there is no model 'none'"


def test_load_errors_tell_neither_contents_nor_paths(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    models.write(folder / "foreign" / "1", "root:secret:0:0\n")
    models.write(folder / "configured" / "1", models.AFFINE, "secret\n")
    service = start()
    service.wait(lambda: service.metric("kuiper_infer_model_loads_total", result="failure") == 2)
    for model in ("foreign", "configured"):
        answer = ask(service, model)
        assert answer.status_code == 503
        assert "could not be loaded: its " in answer.json()["error"]
        assert "secret" not in answer.text
        assert str(tmp_path) not in answer.text
    assert "secret" in service.log.read_text()
    assert why_not_loaded(NotServable("said")) == "said"
    assert "/" not in why_not_loaded(ZeroDivisionError("/tmp"))


def test_infinity_and_nan_are_null_in_json_and_exact_as_raw_arrays(service: Service) -> None:
    values = [math.inf, -math.inf, math.nan]
    raw = struct.pack("<3f", *values)
    tensor = {"name": "x", "datatype": "FP32", "shape": [1, 3], "parameters": {"binary_data_size": 12}}
    for binary in (False, True):
        text = json.dumps({"inputs": [tensor], "parameters": {"binary_data_output": binary}}).encode()
        headers = {"Inference-Header-Content-Length": str(len(text))}
        answer = httpx.post(f"{service.url}/v2/models/affine/infer", content=text + raw, headers=headers)
        if binary:
            np.testing.assert_array_equal(np.frombuffer(answer.content[-12:], np.float32), values)
        else:
            assert answer.json()["outputs"][0]["data"] == [None] * 3
    assert ask(service, "affine", inputs=[{**tensor, "parameters": {}, "data": [None] * 3}]).status_code == 400


def test_texts_beside_numbers_are_refused_without_making_texts_of_all(service: Service) -> None:
    data = [1] * 100_000 + ["a" * 100_000]  # NumPy would make 40 GB of these
    answer = ask(service, "affine", inputs=[{"name": "x", "datatype": "FP32", "shape": [1, 3], "data": data}])
    assert (answer.status_code, answer.json()["error"]) == (400, "input 'x' has elements that are not float32 numbers")


def test_numbers_as_text_take_no_more_than_is_counted() -> None:
    random_ = np.random.default_rng(6)
    for datatype, most in _TEXT.items():
        dtype = np.dtype({"FP32": "float32", "FP64": "float64"}.get(datatype, datatype.lower()))
        values = np.frombuffer(random_.bytes(400_000), dtype) if dtype.kind != "b" else np.array([True, False])
        if dtype.kind in "iu":
            values = np.concatenate([values, np.array([np.iinfo(dtype).min, np.iinfo(dtype).max], dtype)])
        if dtype.kind == "f":
            values = np.concatenate([values, (-(10.0 ** random_.uniform(-7, 18, 100_000))).astype(dtype)])
        text = orjson.dumps(values, option=orjson.OPT_SERIALIZE_NUMPY)
        assert max(map(len, text[1:-1].split(b","))) + 1 <= most, datatype
