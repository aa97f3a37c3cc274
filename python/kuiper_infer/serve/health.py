# SPDX-License-Identifier: MIT
"""gRPC services besides the protocol: `grpc.health.v1`, for the service and for each model, and server reflection."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import grpc
from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc
from kserve.protocol.grpc import grpc_predict_v2_pb2 as pb

from .data_plane import ServiceDataPlane
from .errors import ServeError, shown

_PROTOCOL = pb.DESCRIPTOR.services_by_name["GRPCInferenceService"].full_name
_HEALTH = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name
_ALL = (_PROTOCOL, _HEALTH, reflection.SERVICE_NAME)

# Streams that clients keep open; each takes a place that a call could have.
_MOST_STREAMS = 32
_WATCH_SECONDS = 0.2
_REFLECTION_SECONDS = 60.0

_STATUS = health_pb2.HealthCheckResponse


class _Places:
    """The places that streams share."""

    def __init__(self) -> None:
        self._taken = 0

    @contextlib.contextmanager
    def one(self) -> Iterator[bool]:
        """Takes a place, if there is one."""
        free = self._taken < _MOST_STREAMS
        self._taken += free
        try:
            yield free
        finally:
            self._taken -= free


class Health(health_pb2_grpc.HealthServicer):
    """Tells whether the service (no name, or the protocol's), a model (its name) or a version (NAME/VERSION) answers.

    The reference implementation stores what it is told, and forgets other watchers of a name when one of them leaves.
    """

    def __init__(self, dataplane: ServiceDataPlane, places: _Places) -> None:
        self._dataplane = dataplane
        self._places = places

    async def Check(self, request: health_pb2.HealthCheckRequest, context: aio.ServicerContext) -> Any:
        """Answers for this moment."""
        status = await self._status(request.service)
        if status == _STATUS.SERVICE_UNKNOWN:
            await context.abort(grpc.StatusCode.NOT_FOUND, f"there is no model {shown(request.service)}")
        return _STATUS(status=status)

    async def Watch(self, request: health_pb2.HealthCheckRequest, context: aio.ServicerContext) -> None:
        """Answers at once and after each change, until the service is about to end."""
        last = None
        with self._places.one() as free:
            if not free:
                await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, f"{_MOST_STREAMS} streams are open already")
            while True:
                # Read before the status, which would otherwise be that of before the end.
                stopping = self._dataplane.stopping
                status = await self._status(request.service)
                if status != last:
                    await context.write(_STATUS(status=status))
                    last = status
                if stopping:
                    return
                await asyncio.sleep(_WATCH_SECONDS)

    async def _status(self, service: str) -> Any:
        name, _, version = service.partition("/")
        try:
            if service in ("", *_ALL):
                serving = await self._dataplane.ready()
            else:
                serving = self._dataplane.version_ready(name, version or None) and not self._dataplane.stopping
        except ServeError:
            return _STATUS.SERVICE_UNKNOWN
        return _STATUS.SERVING if serving else _STATUS.NOT_SERVING


class Reflection(reflection.aio.ReflectionServicer):
    """Tells generic clients the services and their messages."""

    def __init__(self, places: _Places) -> None:
        super().__init__(_ALL)
        self._places = places

    async def ServerReflectionInfo(self, request_iterator: Any, context: aio.ServicerContext) -> AsyncIterator[Any]:
        """Answers each request of a stream, for a minute at most."""
        with self._places.one() as free:
            if not free:
                await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, f"{_MOST_STREAMS} streams are open already")
            async with asyncio.timeout(_REFLECTION_SECONDS):
                async for response in super().ServerReflectionInfo(request_iterator, context):
                    yield response


def add_to(server: aio.Server, dataplane: ServiceDataPlane) -> None:
    """Lets `server` answer both."""
    places = _Places()
    health_pb2_grpc.add_HealthServicer_to_server(Health(dataplane, places), server)
    reflection_pb2_grpc.add_ServerReflectionServicer_to_server(Reflection(places), server)
