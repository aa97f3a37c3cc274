# SPDX-License-Identifier: MIT
"""The protocol over gRPC: KServe's servicer, with versions, deadlines and a status for each kind of failure."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from grpc import aio
from kserve.protocol.grpc import grpc_predict_v2_pb2 as pb
from kserve.protocol.grpc.grpc_predict_v2_pb2_grpc import add_GRPCInferenceServiceServicer_to_server
from kserve.protocol.grpc.servicer import InferenceServicer

from . import health
from .access_log import noted
from .data_plane import ServiceDataPlane, count_answer, report
from .errors import ServeError, Status
from .grpc_codec import check_message, decode_request, encode_response, typed_size
from .grpc_patience import Patience
from .http_connection import ClientLimits
from .json_codec import LONG_JSON

_MOST_STREAMS = 128  # calls of one connection at a time
_MOST_AGE_MS = 600_000  # of a connection; what calls left in it goes with it

Method = Callable[["Servicer", Any, aio.ServicerContext], Awaitable[Any]]


def _with_status(method: Method) -> Method:
    """Lets exceptions of `method` end the call with their status."""

    @functools.wraps(method)
    async def call(self: Servicer, request: Any, context: aio.ServicerContext) -> Any:
        try:
            if isinstance(request, DecodeError):
                raise ServeError(Status.INVALID, f"the message is not a request of {method.__name__}: {request}")
            if isinstance(request, ServeError):
                raise request
            return await method(self, request, context)
        except asyncio.CancelledError:  # the client has gone, or the service ends
            if method.__name__ == "ModelInfer":
                count_answer("grpc", Status.CLIENT_GONE.grpc.name)
            raise
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
        limits = self._data_plane.limits(request.model_name, request.model_version)
        size = typed_size(request)
        if size > limits.max_json_bytes:
            said = f"the request has {size} bytes, the model takes {limits.max_json_bytes} that are not raw"
            raise ServeError(Status.TOO_LARGE, said)
        _shorten_timeout(request, context.time_remaining())
        with self._data_plane.place():
            decoded = await self._data_plane.compute(size > LONG_JSON, decode_request, request)
            response = encode_response(await self._data_plane.answer(decoded, request.model_version))
        count_answer("grpc", "OK")
        return response

    @_with_status
    async def RepositoryModelLoad(self, request: Any, context: aio.ServicerContext) -> Any:
        """Refused: the folder decides."""
        raise ServeError(Status.UNIMPLEMENTED, "the service loads what its folder of models holds, and nothing else")

    RepositoryModelUnload = RepositoryModelLoad


class _Methods(grpc.GenericRpcHandler):
    """A servicer's methods, which get an exception for bytes that are no message: grpc would end the call with UNKNOWN.

    An interceptor could do that, too, but is asked for each call, by way of three coroutines.
    """

    def __init__(self, servicer: Servicer, most_bytes: Callable[[], int], patience: Patience, access_log: bool) -> None:
        self._access_log = access_log
        self._most_bytes = most_bytes  # that any message may have beside raw arrays
        self._patience = patience
        self._generated: tuple[grpc.GenericRpcHandler, ...] = ()
        add_GRPCInferenceServiceServicer_to_server(servicer, self)

    def add_generic_rpc_handlers(self, handlers: tuple[grpc.GenericRpcHandler, ...]) -> None:
        """Called by the generated function, for which this object is a server."""
        self._generated = handlers

    def add_registered_method_handlers(self, service: str, handlers: dict[str, grpc.RpcMethodHandler]) -> None:
        """A second list of the methods, for servers that look them up by name: these do not."""

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        """Returns the method of a call, None if there is no such method."""
        handler = next(filter(None, (methods.service(details) for methods in self._generated)), None)
        if handler is None:
            return None

        # This is called in the call's own task, which goes on from here to the end of the answer.
        wait = self._patience.wait()

        def decode(message: bytes) -> Any:
            wait.end()
            try:
                check_message(message, self._most_bytes())
                return handler.request_deserializer(message)
            except (DecodeError, ServeError) as error:
                return error

        def encode(response: Any) -> bytes:
            wait.begin()
            return handler.response_serializer(response)

        call = noted(handler.unary_unary, details.method) if self._access_log else handler.unary_unary
        return grpc.unary_unary_rpc_method_handler(call, decode, encode)


def _shorten_timeout(request: pb.ModelInferRequest, seconds: float | None) -> None:
    """Puts the call's deadline into the parameter `timeout`, unless that is shorter already."""
    if seconds is None or seconds > 1e6:  # a call without a deadline has years left
        return
    parameter = request.parameters["timeout"]
    given = parameter.int64_param
    microseconds = max(int(seconds * 1e6), 1)
    if parameter.WhichOneof("parameter_choice") in (None, "int64_param") and not 0 < given < microseconds:
        parameter.int64_param = microseconds if given >= 0 else given


def _is_news(record: logging.LogRecord) -> bool:
    """Whether gRPC's own log says more than that a client went while its answer was sent."""
    return record.exc_info is None or not isinstance(record.exc_info[1], aio.InternalError)


class GrpcServer:
    """The gRPC server. KServe's fixes the address, the limits and interceptors that log every call."""

    def __init__(self, dataplane: ServiceDataPlane, host: str, port: int, *, max_message: int,
                 client_limits: ClientLimits, keep_alive_seconds: int, access_log: bool) -> None:  # fmt: skip
        self._dataplane = dataplane
        self._address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._max_message = max_message
        self._client_limits = client_limits
        self._keep_alive_seconds = keep_alive_seconds
        self._access_log = access_log
        self._server: aio.Server | None = None

    async def start(self) -> int:
        """Takes the port and returns it; calls are answered from now on."""
        limits = self._client_limits
        logging.getLogger("grpc._cython.cygrpc").addFilter(_is_news)
        options = [
            ("grpc.max_receive_message_length", self._max_message),
            ("grpc.max_send_message_length", -1),
            ("grpc.so_reuseport", 0),  # a second service on the same port is a mistake and has to fail
            ("grpc.max_allowed_incoming_connections", limits.connections),
            ("grpc.server_handshake_timeout_ms", int(limits.head_seconds * 1000)),
            ("grpc.max_concurrent_streams", _MOST_STREAMS),
            ("grpc.max_connection_age_ms", _MOST_AGE_MS),  # then clients go on by another connection
            ("grpc.max_connection_age_grace_ms", _MOST_AGE_MS),
            ("grpc.max_connection_idle_ms", self._keep_alive_seconds * 1000),
            ("grpc.keepalive_time_ms", int(limits.body_seconds * 1000)),  # then the client has to answer a ping
            ("grpc.keepalive_timeout_ms", int(limits.head_seconds * 1000)),
            ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
        ]
        self._server = aio.server(options=options)
        patience = Patience(limits.connections, limits.body_seconds)
        methods = _Methods(Servicer(self._dataplane), self._dataplane.most_json_bytes, patience, self._access_log)
        self._server.add_generic_rpc_handlers((methods,))
        health.add_to(self._server, self._dataplane)
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
