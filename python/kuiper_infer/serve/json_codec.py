# SPDX-License-Identifier: MIT
"""HTTP bodies of inference requests: JSON, and the binary extension, in which raw arrays follow the JSON.

KServe's own conversion makes a Python list of every array, raw ones too; here raw contents stay bytes.
"""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import orjson
from kserve import InferInput, InferOutput, InferRequest, InferResponse
from kserve.protocol.infer_type import RequestedOutput, to_http_parameters

from . import tensors
from .errors import ServeError, Status, shown

# The longest text of a number with its comma, by its type.
_TEXT = {"BOOL": 6, "INT8": 5, "UINT8": 4, "INT16": 7, "UINT16": 6, "INT32": 12, "UINT32": 11, "INT64": 21,
         "UINT64": 21, "FP32": 17, "FP64": 25}  # fmt: skip

# JSON of this size takes about a millisecond to read or write. Longer JSON is left to a thread.
LONG_JSON = 1 << 16

_NAME = {dict: "an object", list: "a list", str: "a string", int: "an integer"}


def decode_request(body: bytes, json_length: int, model: str) -> InferRequest:
    """Reads a body whose first `json_length` bytes are the JSON. Raises a ServeError that names the fault."""
    try:
        table = _parse(memoryview(body)[:json_length])
    except orjson.JSONDecodeError as error:
        raise ServeError(Status.INVALID, f"the request is not valid JSON: {error}") from None
    if not isinstance(table, dict):
        raise ServeError(Status.INVALID, "the request has to be a JSON object")
    inputs = []
    offset = json_length
    for number, entry in enumerate(_get(table, "inputs", list, "the request")):
        tensor, size = _decode_input(entry, f"input {number}", memoryview(body)[offset:])
        inputs.append(tensor)
        offset += size
    if offset != len(body):
        raise ServeError(Status.INVALID, f"the body has {len(body)} bytes, its JSON and inputs have {offset}")
    outputs = None
    if table.get("outputs") is not None:
        outputs = [
            RequestedOutput(_get(entry, "name", str, f"output {number}"), _parameters(entry, f"output {number}"))
            for number, entry in enumerate(_get(table, "outputs", list, "the request"))
        ]
    if table.get("id") is not None:
        _get(table, "id", str, "the request")
    return InferRequest(
        model, inputs, table.get("id"), parameters=_parameters(table, "the request"), request_outputs=outputs
    )


def _parse(text: memoryview) -> Any:
    """Reads JSON. Long JSON is read by one thread at a time, see `ServiceDataPlane.compute`.

    Looking for cycles while millions of lists are made would take ten times as long as making them, with the
    interpreter's lock held.
    """
    if len(text) <= LONG_JSON or not gc.isenabled():
        return orjson.loads(text)
    gc.disable()
    try:
        return orjson.loads(text)
    finally:
        gc.enable()


def text_size(response: InferResponse) -> int:
    """Returns how long the numbers of an answer may become as text."""
    return sum(_TEXT[o.datatype] * o.data.size for o, raw in _with_form(response) if not raw and o.datatype in _TEXT)


def _with_form(response: InferResponse) -> list[tuple[InferOutput, bool]]:
    """The outputs, each with whether it is to be raw."""
    wishes = response._requested_outputs or [None] * len(response.outputs)
    forms = [None if wish is None else wish.binary_data for wish in wishes]
    default = response._use_binary_outputs
    return [(o, default if form is None else form) for o, form in zip(response.outputs, forms, strict=True)]


def encode_response(response: InferResponse) -> tuple[bytes, int | None]:
    """Returns the body, and the length of its JSON if raw arrays follow it.

    JSON has neither infinity nor NaN: they become null.
    """
    raw: list[Any] = []
    outputs = []
    for output, binary in _with_form(response):
        array = np.ascontiguousarray(output.data)
        entry: dict[str, Any] = {"name": output.name, "datatype": output.datatype, "shape": output.shape}
        if binary:
            entry["parameters"] = {"binary_data_size": array.nbytes}
            raw.append(array.reshape(-1).view(np.uint8))
        elif array.dtype == np.float16:
            raise ServeError(Status.INVALID, f"output '{output.name}' is FP16, which only binary data can hold")
        else:
            entry["data"] = array.reshape(-1)
        outputs.append(entry)
    table = {"model_name": response.model_name, "model_version": response.model_version, "outputs": outputs}
    if response.id:
        table["id"] = response.id
    head = orjson.dumps(table, option=orjson.OPT_SERIALIZE_NUMPY)
    return (b"".join([head, *raw]), len(head)) if raw else (head, None)


def _decode_input(entry: Any, who: str, raw: memoryview) -> tuple[InferInput, int]:
    """Returns the input and how many of the raw bytes are its."""
    name = _get(entry, "name", str, who)
    who = f"input {shown(name)}"
    shape = _get(entry, "shape", list, who)
    if not all(isinstance(extent, int) and not isinstance(extent, bool) for extent in shape):
        raise ServeError(Status.INVALID, f"{who}: 'shape' has to be a list of integers")
    parameters = _parameters(entry, who)
    tensor = InferInput(name, shape, _get(entry, "datatype", str, who), parameters=parameters)
    if "data" in entry:
        if tensor.datatype == "FP16":
            raise ServeError(Status.INVALID, f"{who} is FP16, which only binary data can hold")
        tensor.data = tensors.numbers_of(_get(entry, "data", list, who), tensor.datatype, who)
        return tensor, 0
    if not parameters or "binary_data_size" not in parameters:
        if parameters and "shared_memory_region" in parameters:
            raise ServeError(Status.UNIMPLEMENTED, f"{who} lies in shared memory, which is not supported")
        raise ServeError(Status.INVALID, f"{who} has neither 'data' nor the parameter 'binary_data_size'")
    size = _get(parameters, "binary_data_size", int, f"{who}, parameters")
    if not 0 <= size <= len(raw):
        raise ServeError(Status.INVALID, f"{who}: 'binary_data_size' is {size}, the body has {len(raw)} bytes left")
    tensor._raw_data = raw[:size]
    return tensor, size


def _get(table: Any, key: str, kind: type, who: str) -> Any:
    if not isinstance(table, dict):
        raise ServeError(Status.INVALID, f"{who} has to be an object")
    if key not in table:
        raise ServeError(Status.INVALID, f"{who} has no '{key}'")
    value = table[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ServeError(Status.INVALID, f"{who}: '{key}' has to be {_NAME[kind]}")
    return value


def _parameters(entry: dict[str, Any], who: str) -> dict[str, Any] | None:
    if entry.get("parameters") is None:
        return None
    return to_http_parameters(_get(entry, "parameters", dict, who))
