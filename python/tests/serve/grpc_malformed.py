# SPDX-License-Identifier: MIT
"""Malformed gRPC calls, made by a seeded generator: what is sent, which statuses are right, and which came."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import grpc
from kserve.protocol.grpc import grpc_predict_v2_pb2 as pb

_INVALID = ("INVALID_ARGUMENT",)


def valid(model: str) -> pb.ModelInferRequest:
    """A right request to a model with one FP32 input 'x' of shape [rows, 3]."""
    tensor = {"name": "x", "datatype": "FP32", "shape": [1, 3]}
    return pb.ModelInferRequest(model_name=model, inputs=[tensor], raw_input_contents=[bytes(12)])


def malformed_calls(
    address: str, random_: random.Random, count: int, model: str
) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Makes `count` calls; gives the kind of fault, the statuses that are right, and the one that came."""
    with grpc.insecure_channel(address) as channel:
        infer = channel.unary_unary("/inference.GRPCInferenceService/ModelInfer")
        for number in range(count):
            kind = KINDS[number % len(KINDS)]
            expected, message, metadata = kind(random_, valid(model))
            try:
                infer(message, timeout=60, metadata=metadata)
                status = "OK"
            except grpc.RpcError as error:
                status = error.code().name
            yield kind.__name__, expected, status


Fault = tuple[tuple[str, ...], bytes, tuple[tuple[str, str], ...]]


def noise(random_: random.Random, request: pb.ModelInferRequest) -> Fault:
    # Random bytes may be a message, of fields that nobody knows; that one asks a model without a name.
    return (*_INVALID, "NOT_FOUND"), random_.randbytes(random_.randrange(1, 200)), ()


def cut(random_: random.Random, request: pb.ModelInferRequest) -> Fault:
    whole = request.SerializeToString()
    return (*_INVALID, "NOT_FOUND"), whole[: random_.randrange(len(whole))], ()


def wrong_model(random_: random.Random, request: pb.ModelInferRequest) -> Fault:
    request.model_name = random_.choice(["", "none", "affine/1", "../affine", "m" * 5000, "\0"])
    return ("NOT_FOUND",), request.SerializeToString(), ()


def wrong_version(random_: random.Random, request: pb.ModelInferRequest) -> Fault:
    request.model_version = random_.choice(["99", "x", "-1", "01", "1/1", " "])
    return ("NOT_FOUND",), request.SerializeToString(), ()


def wrong_shape(random_: random.Random, request: pb.ModelInferRequest) -> Fault:
    shapes = [[3], [1, 4], [2, 3], [-1, -3], [-1, 3], [0, 3], [1, 3, 1], [2**62, 4], [2**62, 0], [1] * 70 + [3], []]
    del request.inputs[0].shape[:]
    request.inputs[0].shape.extend(random_.choice(shapes))
    return _INVALID, request.SerializeToString(), ()


def wrong_type(random_: random.Random, request: pb.ModelInferRequest) -> Fault:
    request.inputs[0].datatype = random_.choice(["", "FP64", "INT32", "BYTES", "FP16", "BF16", "nothing", "x" * 5000])
    return _INVALID, request.SerializeToString(), ()


def wrong_name(random_: random.Random, request: pb.ModelInferRequest) -> Fault:
    request.inputs[0].name = random_.choice(["", "X", "y", "x ", "x" * 5000, "\0"])
    return _INVALID, request.SerializeToString(), ()


def wrong_size(random_: random.Random, request: pb.ModelInferRequest) -> Fault:
    request.raw_input_contents[0] = bytes(random_.choice([0, 1, 11, 13, 24, 100_000]))
    return _INVALID, request.SerializeToString(), ()


def wrong_count(random_: random.Random, request: pb.ModelInferRequest) -> Fault:
    choice = random_.randrange(4)
    if choice == 0:
        request.raw_input_contents.append(bytes(12))
    elif choice == 1:
        request.inputs.append(request.inputs[0])
    elif choice == 2:
        request.inputs.append(request.inputs[0])
        request.raw_input_contents.append(bytes(12))
    else:
        del request.inputs[:]
    return _INVALID, request.SerializeToString(), ()


def wrong_contents(random_: random.Random, request: pb.ModelInferRequest) -> Fault:
    contents = request.inputs[0].contents
    if random_.random() < 0.5:
        del request.raw_input_contents[:]
        contents.fp64_contents.extend([1, 2, 3])  # not where FP32 belongs
    else:
        contents.fp32_contents.extend([1] * random_.randrange(5))
    return _INVALID, request.SerializeToString(), ()


def wrong_output(random_: random.Random, request: pb.ModelInferRequest) -> Fault:
    request.outputs.add(name=random_.choice(["", "z", "x", "y" * 5000]))
    return _INVALID, request.SerializeToString(), ()


def wrong_timeout(random_: random.Random, request: pb.ModelInferRequest) -> Fault:
    parameter = request.parameters["timeout"]
    if random_.random() < 0.5:
        parameter.string_param = random_.choice(["", "soon", "-1"])
    else:
        parameter.int64_param = random_.choice([-1, -(2**62)])
    return _INVALID, request.SerializeToString(), ()


def unsupported(random_: random.Random, request: pb.ModelInferRequest) -> Fault:
    if random_.random() < 0.5:
        request.parameters[random_.choice(["sequence_id", "sequence_start"])].int64_param = 1
    else:
        request.inputs[0].parameters["shared_memory_region"].string_param = "region"
    return ("UNIMPLEMENTED",), request.SerializeToString(), ()


def too_long(random_: random.Random, request: pb.ModelInferRequest) -> Fault:
    request.raw_input_contents[0] = bytes(random_.randrange(1_000_001, 1_500_000))
    return ("RESOURCE_EXHAUSTED",), request.SerializeToString(), ()


def huge_metadata(random_: random.Random, request: pb.ModelInferRequest) -> Fault:
    long = "a" * random_.randrange(40_000, 400_000)
    return ("RESOURCE_EXHAUSTED",), request.SerializeToString(), (("x-long", long),)


KINDS: tuple[Callable[[random.Random, pb.ModelInferRequest], Fault], ...] = (
    noise, cut, wrong_model, wrong_version, wrong_shape, wrong_type, wrong_name, wrong_size, wrong_count,
    wrong_contents, wrong_output, wrong_timeout, unsupported, too_long, huge_metadata,
)  # fmt: skip
