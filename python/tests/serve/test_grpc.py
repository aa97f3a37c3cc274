# SPDX-License-Identifier: MIT
"""The protocol over gRPC, asked through the stubs of the protocol's definition."""

from __future__ import annotations

import logging
import struct
from collections.abc import Iterator

import grpc
import numpy as np
import pytest
from grpc import aio
from kserve.protocol.grpc import grpc_predict_v2_pb2 as pb
from kserve.protocol.grpc.grpc_predict_v2_pb2_grpc import GRPCInferenceServiceStub

from kuiper_infer.serve.grpc_service import _is_news

from .running_service import Service


@pytest.fixture(scope="module")
def stub(service: Service) -> Iterator[GRPCInferenceServiceStub]:
    with grpc.insecure_channel(service.grpc) as channel:
        yield GRPCInferenceServiceStub(channel)


def request(model: str = "affine", *values: float, shape: tuple[int, ...] | None = None) -> pb.ModelInferRequest:
    values = values or (1, 2, 3)
    tensor = {"name": "x", "datatype": "FP32", "shape": shape or (1, len(values))}
    raw = struct.pack(f"<{len(values)}f", *values)
    return pb.ModelInferRequest(model_name=model, inputs=[tensor], raw_input_contents=[raw])


def result(response: pb.ModelInferResponse) -> list[float]:
    return np.frombuffer(response.raw_output_contents[0], np.float32).tolist()


def failure(stub: GRPCInferenceServiceStub, call: pb.ModelInferRequest, **options: float) -> tuple[str, str]:
    with pytest.raises(grpc.RpcError) as error:
        stub.ModelInfer(call, **options)
    return error.value.code().name, error.value.details()


def test_the_service_describes_itself(stub: GRPCInferenceServiceStub) -> None:
    assert stub.ServerLive(pb.ServerLiveRequest()).live
    assert stub.ServerReady(pb.ServerReadyRequest()).ready
    assert stub.ServerMetadata(pb.ServerMetadataRequest()).name == "kuiper_infer"
    described = stub.ModelMetadata(pb.ModelMetadataRequest(name="affine"))
    assert (list(described.versions), described.platform) == (["1", "3"], "kuiper_infer_pnnx")
    assert [(i.name, i.datatype, list(i.shape)) for i in described.inputs] == [("x", "FP32", [-1, 3])]
    for name, version, ready in (
        ("affine", "", True),
        ("affine", "1", True),
        ("affine", "2", False),
        ("no", "", False),
    ):
        assert stub.ModelReady(pb.ModelReadyRequest(name=name, version=version)).ready is ready


def test_versions_and_ids(stub: GRPCInferenceServiceStub) -> None:
    call = request()
    call.id = "seven"
    response = stub.ModelInfer(call)
    assert (response.id, response.model_name, response.model_version) == ("seven", "affine", "3")
    assert result(response) == [5, 9, 13]
    call.model_version = "1"
    assert result(stub.ModelInfer(call)) == [3, 5, 7]


def test_typed_contents(stub: GRPCInferenceServiceStub) -> None:
    call = pb.ModelInferRequest(model_name="pair")
    call.inputs.add(name="a", datatype="FP32", shape=[1, 2]).contents.fp32_contents.extend([0.5, 2])
    call.inputs.add(name="b", datatype="INT64", shape=[1, 2]).contents.int64_contents.extend([3, 2**60])
    call.outputs.add(name="twice")
    response = stub.ModelInfer(call)
    assert [output.name for output in response.outputs] == ["twice"]
    assert np.frombuffer(response.raw_output_contents[0], np.int64).tolist() == [6, 2**61]


def test_statuses(stub: GRPCInferenceServiceStub) -> None:
    assert failure(stub, request("nowhere"))[0] == "NOT_FOUND"
    code, text = failure(stub, request(shape=(1, 4)))
    assert (code, text) == ("INVALID_ARGUMENT", "input 'x' of shape [1, 4] takes 16 bytes, found 12")
    code, text = failure(stub, request(shape=(1, 3, 1)))
    assert code == "INVALID_ARGUMENT"
    assert "(1,3,1)" in text
    wrong = request()
    wrong.inputs[0].datatype = "FP99"
    assert failure(stub, wrong)[0] == "INVALID_ARGUMENT"
    assert failure(stub, pb.ModelInferRequest(model_name="affine"))[0] == "INVALID_ARGUMENT"
    both = request()
    both.inputs[0].contents.fp32_contents.append(1)
    assert failure(stub, both)[0] == "INVALID_ARGUMENT"
    other = request()
    other.parameters["timeout"].string_param = "soon"
    assert failure(stub, other)[0] == "INVALID_ARGUMENT"
    other = request()
    other.parameters["sequence_id"].int64_param = 1
    assert failure(stub, other)[0] == "UNIMPLEMENTED"


def test_messages_are_limited(stub: GRPCInferenceServiceStub) -> None:
    assert failure(stub, request("affine", *([1.0] * 250_001)))[0] == "RESOURCE_EXHAUSTED"


def test_the_call_s_deadline_reaches_the_run(service: Service, stub: GRPCInferenceServiceStub) -> None:
    size = 384
    call = request("slow", *([1.0] * size * size), shape=(size, size))
    stub.ModelInfer(call)
    assert failure(stub, call, timeout=0.05)[0] == "DEADLINE_EXCEEDED"
    call.parameters["timeout"].int64_param = 20_000
    code, text = failure(stub, call, timeout=60)
    assert code == "DEADLINE_EXCEEDED"
    assert "deadline passed" in text
    # The run ended as well: the model is free for the next request at once.
    service.wait(lambda: service.metric("kuiper_infer_queue_length", model="slow") == 0)
    assert stub.ModelInfer(request("slow", *([1.0] * size * size), shape=(size, size)), timeout=60)


def test_calls_beyond_the_protocol(service: Service, stub: GRPCInferenceServiceStub) -> None:
    with pytest.raises(grpc.RpcError) as error:
        stub.RepositoryModelLoad(pb.RepositoryModelLoadRequest(model_name="affine"))
    assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED
    with grpc.insecure_channel(service.grpc) as channel:
        call = channel.unary_unary("/inference.GRPCInferenceService/ModelStatistics")
        with pytest.raises(grpc.RpcError) as error:
            call(b"")
    assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize(("error", "kept"), [(aio.InternalError(), False), (ValueError(), True), (None, True)])
def test_a_client_that_goes_leaves_no_trace_in_the_log(error: Exception | None, kept: bool) -> None:
    info = (type(error), error, None) if error is not None else None
    assert _is_news(logging.LogRecord("grpc", logging.ERROR, "", 0, "", None, info)) is kept
