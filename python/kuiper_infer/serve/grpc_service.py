# SPDX-License-Identifier: MIT
"""The protocol over gRPC: KServe's servicer, with versions, deadlines and a status for each kind of failure."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from grpc import aio
from kserve import InferRequest, InferResponse
from kserve.errors import InvalidInput
from kserve.protocol.grpc import grpc_predict_v2_pb2 as pb
from kserve.protocol.grpc.grpc_predict_v2_pb2_grpc import add_GRPCInferenceServiceServicer_to_server
from kserve.protocol.grpc.servicer import InferenceServicer

from .data_plane import ServiceDataPlane, count_answer, report
from .errors import ServeError, Status

Method = Callable[["Servicer", Any, aio.ServicerContext], Awaitable[Any]]


def _with_status(method: Method) -> Method:
    """Lets exceptions of `method` end the call with their status."""

    @functools.wraps(method)
    async def call(self: Servicer, request: Any, context: aio.ServicerContext) -> Any:
        try:
            if isinstance(request, DecodeError):
                raise ServeError(Status.INVALID, f"the message is no request of {method.__name__}: {request}")
            return await method(self, request, context)
        except Exception as error:  # each gets a status
            told = report(error, "grpc", method.__name__)
        if method.__name__ == "ModelInfer":
            count_answer("grpc", told.status.grpc.name)
        await context.abort(told.status.grpc, str(told))

    return call


class Servicer(InferenceServicer):
    """Answers the protocol's calls."""

    _data_plane: ServiceDataPlane

    def __init__(self, dataplane: ServiceDataPlane) -> None:
        super().__init__(dataplane, None)

    @_with_status
    async def ModelReady(self, request: pb.ModelReadyRequest, context: aio.ServicerContext) -> pb.ModelReadyResponse:
        """Whether a model answers; one that the folder does not hold is not ready."""
        try:
            ready = self._data_plane.version_ready(request.name, request.version)
        except ServeError:
            ready = False
        return pb.ModelReadyResponse(ready=ready)

    @_with_status
    async def ModelMetadata(
        self, request: pb.ModelMetadataRequest, context: aio.ServicerContext
    ) -> pb.ModelMetadataResponse:
        """Describes a model."""
        return pb.ModelMetadataResponse(**self._data_plane.version_metadata(request.name, request.version))

    @_with_status
    async def ModelInfer(self, request: pb.ModelInferRequest, context: aio.ServicerContext) -> pb.ModelInferResponse:
        """Answers an inference request."""
        try:
            self.validate_grpc_request(request)
            _shorten_timeout(request, context.time_remaining())
            decoded = InferRequest.from_grpc(request)
        except InvalidInput as error:
            raise ServeError(Status.INVALID, str(error)) from None
        response = _encode(await self._data_plane.answer(decoded, request.model_version))
        count_answer("grpc", "OK")
        return response

    @_with_status
    async def RepositoryModelLoad(self, request: Any, context: aio.ServicerContext) -> Any:
        """Refused: the folder decides."""
        raise ServeError(Status.UNIMPLEMENTED, "the service loads what its folder of models holds, and nothing else")

    RepositoryModelUnload = RepositoryModelLoad


class _Methods(grpc.GenericRpcHandler):
    """A servicer's methods, which get bytes that are no message as a DecodeError; grpc would end the call with UNKNOWN.

    An interceptor could do that, too, but is asked for each call, by way of three coroutines.
    """

    def __init__(self, servicer: Servicer) -> None:
        self._generated: tuple[grpc.GenericRpcHandler, ...] = ()
        add_GRPCInferenceServiceServicer_to_server(servicer, self)

    def add_generic_rpc_handlers(self, handlers: tuple[grpc.GenericRpcHandler, ...]) -> None:
        """What the generated function calls, to which this is a server."""
        self._generated = handlers

    def add_registered_method_handlers(self, service: str, handlers: dict[str, grpc.RpcMethodHandler]) -> None:
        """A second list of the methods, for servers that look them up by name: these do not."""

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        """Returns the method of a call, None if there is no such method."""
        handler = next(filter(None, (methods.service(details) for methods in self._generated)), None)
        if handler is None:
            return None

        def decode(message: bytes) -> Any:
            try:
                return handler.request_deserializer(message)
            except DecodeError as error:
                return error

        return grpc.unary_unary_rpc_method_handler(handler.unary_unary, decode, handler.response_serializer)


def _shorten_timeout(request: pb.ModelInferRequest, seconds: float | None) -> None:
    """Puts the call's deadline into the parameter `timeout`, unless that is shorter already."""
    if seconds is None or seconds > 1e6:  # a call without a deadline has years left
        return
    parameter = request.parameters["timeout"]
    given = parameter.int64_param
    microseconds = max(int(seconds * 1e6), 1)
    if parameter.WhichOneof("parameter_choice") in (None, "int64_param") and not 0 < given < microseconds:
        parameter.int64_param = microseconds if given >= 0 else given


def _encode(response: InferResponse) -> pb.ModelInferResponse:
    """Puts the outputs into raw contents; InferResponse.to_grpc makes lists of numbers, or fails for arrays."""
    return pb.ModelInferResponse(
        id=response.id,
        model_name=response.model_name,
        model_version=response.model_version,
        outputs=[{"name": o.name, "datatype": o.datatype, "shape": o.shape} for o in response.outputs],
        raw_output_contents=[output.data.tobytes() for output in response.outputs],
    )


class GrpcServer:
    """The gRPC server. KServe's fixes the address, the limits and interceptors that log every call."""

    def __init__(self, dataplane: ServiceDataPlane, host: str, port: int, *, max_message: int, max_calls: int) -> None:
        self._dataplane = dataplane
        self._address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._max_message = max_message
        self._max_calls = max_calls
        self._server: aio.Server | None = None

    async def start(self) -> int:
        """Takes the port and returns it; calls are answered from now on."""
        options = [
            ("grpc.max_receive_message_length", self._max_message),
            ("grpc.max_send_message_length", -1),
            ("grpc.so_reuseport", 0),  # a second service on the same port is a mistake and has to fail
        ]
        self._server = aio.server(options=options, maximum_concurrent_rpcs=self._max_calls)
        self._server.add_generic_rpc_handlers((_Methods(Servicer(self._dataplane)),))
        try:
            port = self._server.add_insecure_port(self._address)
        except RuntimeError:
            raise OSError(f"gRPC can't listen on {self._address}") from None
        await self._server.start()
        return port

    async def stop(self, grace_seconds: float) -> None:
        """Accepts nothing more and returns when all calls are answered, or after `grace_seconds`."""
        if self._server is not None:
            await self._server.stop(grace_seconds)
