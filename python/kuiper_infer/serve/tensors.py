# SPDX-License-Identifier: MIT
"""Between the protocol's tensors and arrays: types, sizes and names are checked here, shapes by the engine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from kserve import InferInput, InferOutput, InferRequest, InferResponse
from kserve.utils.numpy_codec import from_np_dtype, to_np_dtype

from kuiper_infer import ArrayInfo

from .errors import ServeError, Status, shown
from .load_errors import NotServable

# Parameters of other extensions that change what a request means. Ignoring them would give a wrong answer.
_UNSUPPORTED_REQUEST = ("sequence_id", "sequence_start", "sequence_end")
_UNSUPPORTED_INPUT = ("shared_memory_region",)
_UNSUPPORTED_OUTPUT = ("shared_memory_region", "classification")

# The types that elements of a list may have if it becomes an array of that kind.
_ELEMENTS: dict[str, set[type]] = {"b": {bool}, "i": {int}, "u": {int}, "f": {int, float}}

_MOST_AXES = 64  # that NumPy allows


def datatype_of(info: ArrayInfo) -> str:
    """The protocol's name of an array's element type."""
    try:
        name = None if info.dtype is None else from_np_dtype(np.dtype(info.dtype))
    except TypeError:
        name = None
    if name is None or name == "BYTES":
        kind = "an unknown type" if info.dtype is None else f"type {info.dtype}, which the protocol has no name for"
        raise NotServable(f"'{info.name}' has elements of {kind}")
    return name


def metadata_of(info: ArrayInfo, free_rows: bool) -> dict[str, Any]:
    """Describes an input or output. `free_rows`: the extent of the first axis is free."""
    shape = list(info.shape) if info.shape is not None else [-1]
    if free_rows and shape:
        shape[0] = -1
    return {"name": info.name, "datatype": datatype_of(info), "shape": shape}


def inputs_of(request: InferRequest, expected: Sequence[ArrayInfo], max_bytes: int) -> list[np.ndarray]:
    """Returns the request's arrays in the order of the model's inputs; raw contents are not copied."""
    _refuse(request.parameters, _UNSUPPORTED_REQUEST, "the request")
    given: dict[str, InferInput] = {}
    for tensor in request.inputs:
        if tensor.name in given:
            raise ServeError(Status.INVALID, f"input {shown(tensor.name)} is given twice")
        given[tensor.name] = tensor
    names = [info.name for info in expected]
    if set(given) != set(names):
        raise ServeError(Status.INVALID, f"the model has inputs {shown(names)}, the request {shown(list(given))}")
    sizes = [t.data.nbytes if t._raw_data is None else len(t._raw_data) for t in given.values()]
    if sum(sizes) > max_bytes:
        raise ServeError(Status.TOO_LARGE, f"the request's inputs have {sum(sizes)} bytes, the model takes {max_bytes}")
    return [_array(given[info.name], datatype_of(info)) for info in expected]


def response_of(
    request: InferRequest, name: str, version: str, infos: Sequence[ArrayInfo], arrays: Sequence[np.ndarray],
    max_bytes: int,
) -> InferResponse:  # fmt: skip
    """Makes the response of the outputs that the request asks for, all if it names none."""
    made = {info.name: array for info, array in zip(infos, arrays, strict=True)}
    wanted = [output.name for output in request.request_outputs or []] or list(made)
    total = sum(made[output].nbytes for output in wanted)
    if total > max_bytes:
        raise ServeError(Status.TOO_LARGE, f"the outputs have {total} bytes, the model's limit is {max_bytes}")
    outputs = [
        InferOutput(output, list(made[output].shape), from_np_dtype(made[output].dtype), made[output])
        for output in wanted
    ]
    return InferResponse(
        response_id=request.id,
        model_name=name,
        model_version=version,
        infer_outputs=outputs,
        use_binary_outputs=request.use_binary_outputs,
        requested_outputs=request.request_outputs,
    )


def check_requested(request: InferRequest, infos: Sequence[ArrayInfo]) -> None:
    """Refuses outputs that the model does not have or that are asked for twice, before anything is run for them."""
    names = [info.name for info in infos]
    asked: set[str] = set()
    for output in request.request_outputs or []:
        who = f"output {shown(output.name)}"
        if output.name not in names:
            raise ServeError(Status.INVALID, f"the model has outputs {shown(names)}, the request asks for {who}")
        if output.name in asked:
            raise ServeError(Status.INVALID, f"{who} is asked for twice")
        asked.add(output.name)
        _refuse(output.parameters, _UNSUPPORTED_OUTPUT, who)


def numbers_of(data: list[Any], datatype: str, who: str) -> np.ndarray:
    """Makes a flat array of a list of numbers, nested or flat, as JSON or a typed gRPC field holds it.

    Nothing is rounded to integers.
    """
    dtype = np.dtype(to_np_dtype(datatype) or np.object_)
    if dtype.kind not in _ELEMENTS:
        raise ServeError(Status.INVALID, f"{who} has elements of type {shown(datatype)}, expected a type of numbers")
    if not _kinds(data) <= _ELEMENTS[dtype.kind]:  # NumPy would convert them: 1.5 to 1, "1" to 1, None to NaN
        raise ServeError(Status.INVALID, f"{who} has elements that are not {dtype.name} numbers")
    try:
        with np.errstate(over="ignore"):
            return np.asarray(data, dtype).reshape(-1)
    except (ValueError, TypeError, OverflowError) as error:
        raise ServeError(Status.INVALID, f"{who}: {error}") from None


def _kinds(data: list[Any]) -> set[type]:
    """The types of the elements of nested lists."""
    kinds: set[type] = set()
    lists = [data]
    while lists:
        part = lists.pop()
        found = set(map(type, part))
        if list in found:
            lists.extend(entry for entry in part if type(entry) is list)
        kinds |= found
    return kinds - {list}


def _array(tensor: InferInput, datatype: str) -> np.ndarray:
    who = f"input {shown(tensor.name)}"
    _refuse(tensor.parameters, _UNSUPPORTED_INPUT, who)
    if tensor.datatype != datatype:
        raise ServeError(Status.INVALID, f"{who} has elements of type {shown(tensor.datatype)}, expected {datatype}")
    shape = tensor.shape
    if len(shape) > _MOST_AXES:
        raise ServeError(Status.INVALID, f"{who} has {len(shape)} axes, more than {_MOST_AXES}")
    if any(extent < 0 for extent in shape):
        raise ServeError(Status.INVALID, f"{who} has the shape {shown(shape)}; extents can't be negative")
    count = math.prod(shape)
    if tensor._raw_data is not None:
        dtype = np.dtype(to_np_dtype(datatype))
        found, expected = len(tensor._raw_data), count * dtype.itemsize
        if found != expected:
            raise ServeError(Status.INVALID, f"{who} of shape {shown(shape)} takes {expected} bytes, found {found}")
        array = np.frombuffer(tensor._raw_data, dtype)
    else:
        array = tensor.data
        if array.size != count:
            raise ServeError(
                Status.INVALID, f"{who} of shape {shown(shape)} takes {count} elements, found {array.size}"
            )
    try:
        return array.reshape(shape)
    except ValueError as error:  # extents beyond NumPy's integers beside a zero
        raise ServeError(Status.INVALID, f"{who}: {error}") from None


def _refuse(parameters: Any, names: Sequence[str], who: str) -> None:
    for name in names:
        if parameters and name in parameters:
            raise ServeError(Status.UNIMPLEMENTED, f"{who} has the parameter '{name}', which is not supported")
