# SPDX-License-Identifier: MIT
"""A model that gives a tuple and whose batch and length are free, and models that give other outputs than they say."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import grpc
import httpx
import numpy as np
import pytest
from kserve.protocol.grpc import grpc_predict_v2_pb2 as pb
from kserve.protocol.grpc.grpc_predict_v2_pb2_grpc import GRPCInferenceServiceStub

from kuiper_infer import ArrayInfo, ErrorCode, KuiperError
from kuiper_infer.serve.load_errors import NotServable
from kuiper_infer.serve.trial import outputs_as_run

from .running_service import Service

DATA = Path(__file__).with_name("data")
HIDDEN, POOLED = "pnnx_output_0.0", "pnnx_output_0.1"


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    root = tmp_path_factory.mktemp("encoder")
    folder = root / "models" / "encoder" / "1"
    folder.mkdir(parents=True)
    for end in ("bin", "param"):
        shutil.copy(DATA / f"encoder.pnnx.{end}", folder / f"model.pnnx.{end}")
    service = Service(root / "models", root / "log")
    service.wait(service.ready)
    yield service
    service.end()


def check(arrays: dict[str, np.ndarray]) -> None:
    """Compares with what PyTorch gives."""
    expected = np.load(DATA / "encoder.npz")
    assert list(arrays) == [HIDDEN, POOLED]
    for array, name in zip(arrays.values(), ("hidden", "pooled"), strict=True):
        np.testing.assert_allclose(array, expected[name], rtol=1e-4, atol=1e-5)


def inputs() -> dict[str, np.ndarray]:
    expected = np.load(DATA / "encoder.npz")
    return {f"pnnx_input_{number}": expected[name] for number, name in enumerate(("ids", "mask", "kinds"))}


def test_it_is_described(encoder: Service) -> None:
    assert "no trial" not in encoder.log.read_text()
    described = httpx.get(f"{encoder.url}/v2/models/encoder").json()
    assert [(e["name"], e["datatype"], e["shape"]) for e in described["outputs"]] == [
        (HIDDEN, "FP32", [-1, -1, 16]),
        (POOLED, "FP32", [-1, 16]),
    ]
    assert {tuple(e["shape"]) for e in described["inputs"]} == {(-1, -1)}


def test_json(encoder: Service) -> None:
    tensors = [{"name": n, "datatype": "INT64", "shape": a.shape, "data": a.tolist()} for n, a in inputs().items()]
    answer = httpx.post(f"{encoder.url}/v2/models/encoder/infer", json={"inputs": tensors})
    assert answer.status_code == 200, answer.text
    check({o["name"]: np.reshape(o["data"], o["shape"]) for o in answer.json()["outputs"]})


def test_raw_over_http(encoder: Service) -> None:
    tensors = [
        {"name": n, "datatype": "INT64", "shape": a.shape, "parameters": {"binary_data_size": a.nbytes}}
        for n, a in inputs().items()
    ]
    text = json.dumps({"inputs": tensors, "parameters": {"binary_data_output": True}}).encode()
    answer = httpx.post(
        f"{encoder.url}/v2/models/encoder/infer",
        content=text + b"".join(a.tobytes() for a in inputs().values()),
        headers={"Inference-Header-Content-Length": str(len(text))},
    )
    assert answer.status_code == 200, answer.text
    offset = int(answer.headers["Inference-Header-Content-Length"])
    arrays = {}
    for output in json.loads(answer.content[:offset])["outputs"]:
        end = offset + output["parameters"]["binary_data_size"]
        arrays[output["name"]] = np.frombuffer(answer.content[offset:end], np.float32).reshape(output["shape"])
        offset = end
    assert offset == len(answer.content)
    check(arrays)


@pytest.mark.parametrize("raw", [False, True])
def test_grpc(encoder: Service, raw: bool) -> None:
    request = pb.ModelInferRequest(model_name="encoder")
    for name, array in inputs().items():
        tensor = request.inputs.add(name=name, datatype="INT64", shape=array.shape)
        if raw:
            request.raw_input_contents.append(array.tobytes())
        else:
            tensor.contents.int64_contents.extend(array.reshape(-1).tolist())
    with grpc.insecure_channel(encoder.grpc) as channel:
        stub = GRPCInferenceServiceStub(channel)
        response = stub.ModelInfer(request, timeout=60)
        request.outputs.add(name=POOLED)
        assert [o.name for o in stub.ModelInfer(request, timeout=60).outputs] == [POOLED]
    arrays = zip(response.outputs, response.raw_output_contents, strict=True)
    check({o.name: np.frombuffer(a, np.float32).reshape(list(o.shape)) for o, a in arrays})


class FakeModel(SimpleNamespace):
    """Says one thing and does another. It takes inputs of 8 words and more."""

    inputs = (ArrayInfo("ids", "int64", (-1, -1)),)
    outputs = (ArrayInfo("y", "float32", (-1, 2)),)
    made = (np.zeros((8, 2), np.float32),)

    def output_info(self, shapes: list[tuple[int, ...]]) -> None:
        if shapes[0][0] < 8:
            raise KuiperError("too short", ErrorCode.SHAPE)

    def run(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        assert arrays[0].shape == (8, 8)
        return list(self.made)


def test_a_trial_completes_what_is_not_known() -> None:
    assert outputs_as_run(FakeModel()) == (FakeModel.outputs, None)
    unknown = FakeModel(outputs=(ArrayInfo("y", None, None),), inputs=(ArrayInfo("ids", "int64", (8, 8)),))
    assert outputs_as_run(unknown) == ((ArrayInfo("y", "float32", (-1, -1)),), None)
    never = FakeModel(inputs=(ArrayInfo("ids", "int64", (1, 1)),))
    assert outputs_as_run(never) == (FakeModel.outputs, "too short")


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (FakeModel(made=(np.zeros((8, 2), np.float64),)), "described as float32 with 2 axes, the model gives float64"),
        (
            FakeModel(made=(np.zeros(8, np.float32),)),
            "described as float32 with 2 axes, the model gives float32 with 1",
        ),
        (FakeModel(made=()), "describes 1 outputs and gives 0"),
        (FakeModel(made=FakeModel.made * 2), "describes 1 outputs and gives 2"),
        (FakeModel(outputs=FakeModel.outputs * 2), "the same name"),
        (
            FakeModel(outputs=(ArrayInfo("y", None, (-1, 2)),), inputs=(ArrayInfo("ids", "int64", None),)),
            "the type or rank of output 'y' is not known",
        ),
    ],
)
def test_a_model_that_gives_other_outputs_than_it_describes_does_not_answer(model: FakeModel, said: str) -> None:
    with pytest.raises(NotServable, match=said):
        outputs_as_run(model)  # type: ignore[arg-type]
