# SPDX-License-Identifier: MIT
"""gRPC messages of inference requests and answers.

KServe's own conversion makes a Python list of every array and quotes names in any length; here raw contents stay bytes.
"""

from __future__ import annotations

from kserve import InferRequest, InferResponse
from kserve.errors import InvalidInput
from kserve.protocol.grpc import grpc_predict_v2_pb2 as pb

from . import tensors
from .errors import ServeError, Status, shown

_RAW_INPUTS = pb.ModelInferRequest.DESCRIPTOR.fields_by_name["raw_input_contents"].number
_MOST_FIELDS = 1 << 14  # of a message that is longer than JSON may be; each takes memory, however short it is


def check_message(message: bytes, most: int) -> None:
    """Refuses a message that has more than `most` bytes besides raw arrays, before it is parsed, because parsing takes
    many times their memory. Data that is not a message at all is left to the parser.
    """
    if len(message) <= most:
        return
    position = raw = fields = 0
    try:
        while position < len(message):
            tag, position = _varint(message, position)
            length = 0
            match tag & 7:
                case 0:
                    _, position = _varint(message, position)
                case 1:
                    length = 8
                case 2:
                    length, position = _varint(message, position)
                case 5:
                    length = 4
                case _:  # groups, which the protocol does not have
                    length = len(message)
            position = min(position + length, len(message))
            raw += length if tag == _RAW_INPUTS << 3 | 2 else 0
            fields += 1
            if position - raw > most or fields > _MOST_FIELDS:
                said = f"the message has more than {most} bytes or {_MOST_FIELDS} fields beside raw arrays"
                raise ServeError(Status.TOO_LARGE, said)
    except IndexError:  # it ends within a number
        return


def _varint(message: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while (byte := message[position]) & 0x80 and shift < 63:
        value |= (byte & 0x7F) << shift
        shift += 7
        position += 1
    return value | (byte & 0x7F) << shift, position + 1


def typed_size(request: pb.ModelInferRequest) -> int:
    """Returns the bytes of a request without raw arrays; 0 for any other request, which `check_message` bounds."""
    return 0 if request.raw_input_contents else request.ByteSize()


def decode_request(request: pb.ModelInferRequest) -> InferRequest:
    """Reads a request. Raises a ServeError that names the fault."""
    raw = len(request.raw_input_contents)
    if raw and raw != len(request.inputs):
        raise ServeError(Status.INVALID, f"the request has {len(request.inputs)} inputs and {raw} raw contents")
    for tensor in request.inputs if raw else ():
        if tensor.HasField("contents"):
            raise ServeError(Status.INVALID, f"input {shown(tensor.name)} has contents beside the raw contents")
    try:
        decoded = InferRequest.from_grpc(request)
    except InvalidInput as error:
        raise ServeError(Status.INVALID, str(error)) from None
    for tensor in decoded.inputs if not raw else ():
        tensor.data = tensors.numbers_of(tensor.data, tensor.datatype, f"input {shown(tensor.name)}")
    return decoded


def encode_response(response: InferResponse) -> pb.ModelInferResponse:
    """Puts the outputs into raw contents; InferResponse.to_grpc makes lists of numbers, or fails for arrays."""
    return pb.ModelInferResponse(
        id=response.id,
        model_name=response.model_name,
        model_version=response.model_version,
        outputs=[{"name": o.name, "datatype": o.datatype, "shape": o.shape} for o in response.outputs],
        raw_output_contents=[output.data.tobytes() for output in response.outputs],
    )
