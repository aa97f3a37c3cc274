# SPDX-License-Identifier: MIT
"""The whole service: both servers, the watch over the folder, and their common end."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import uvloop
from kserve import ModelServer
from kserve.errors import ServerNotLive

from . import access_log
from .data_plane import READY_RULES, ServiceDataPlane
from .grpc_service import GrpcServer
from .http_connection import ClientLimits
from .http_service import HttpServer
from .metrics import answered
from .repository import Repository, Watch

_log = logging.getLogger("kserve.kuiper_infer")

# Connections of each protocol beyond those that requests may take: health and metrics are answered however busy it is.
_SPARE = 64

# What is left of a service this long after its grace has passed, such as a load from a file system that hangs,
# is not waited for.
_LAST_SECONDS = 2.0


@dataclass(frozen=True)
class Settings:
    """The options of the service as a whole. A port of 0 is any free one."""

    models: Path
    host: str = "127.0.0.1"
    http_port: int = 8080
    grpc_port: int = 8081
    poll_seconds: float = 2.0
    max_request_bytes: int = 64 << 20  # of an HTTP body or a gRPC message
    max_requests: int = 512  # inference requests at a time
    head_seconds: float = 10.0  # in which an HTTP request's headers have to arrive
    body_seconds: float = 30.0  # in which an HTTP body has to arrive, and an answer has to be taken
    grace_seconds: int = 30  # for accepted requests when the service ends
    drain_seconds: float = 0.0  # between "not ready" and the end, for load balancers to notice
    keep_alive_seconds: int = 65
    ready: str = "any"  # of READY_RULES: which models have to answer for the service to be ready
    access_log: bool = False  # a line in the log for each request
    page: bool = True  # a page for browsers at /
    reports: bool = False  # pages about runs of models, each of which runs a model ten times

    def __post_init__(self) -> None:
        if self.ready not in READY_RULES:
            raise ValueError(f"ready is {self.ready!r}, expected one of {', '.join(READY_RULES)}")


def dataplane_of(settings: Settings, cores: int) -> ServiceDataPlane:
    """The folder's models, none of which is loaded before the watch starts. They have `cores` to work on."""
    repository = Repository(settings.models, cores)
    watch = Watch(repository, settings.poll_seconds)
    return ServiceDataPlane(repository, watch, settings.max_requests, settings.ready, settings.reports)


def http_server_of(settings: Settings, dataplane: ServiceDataPlane) -> HttpServer:
    """The paths over HTTP, and the server that answers them once it is started."""
    return HttpServer(
        dataplane, settings.host, settings.http_port, max_body=settings.max_request_bytes,
        client_limits=_client_limits(settings), grace_seconds=settings.grace_seconds,
        keep_alive_seconds=settings.keep_alive_seconds, access_log=settings.access_log, page=settings.page,
    )  # fmt: skip


def _client_limits(settings: Settings) -> ClientLimits:
    return ClientLimits(settings.max_requests + _SPARE, settings.head_seconds, settings.body_seconds)


class Service(ModelServer):
    """KServe's model server with this service's registry, data plane, endpoints and order of ending."""

    def __init__(self, settings: Settings) -> None:
        dataplane = dataplane_of(settings, len(os.sched_getaffinity(0)))
        super().__init__(settings.http_port, settings.grpc_port, workers=1, registered_models=dataplane.repository,
                         enable_latency_logging=False, grace_period=settings.grace_seconds)  # fmt: skip
        self.settings = settings
        self.dataplane = dataplane
        self._stop = asyncio.Event()
        self._owns_process = False

    def start(self, models: list | None = None, on_ports: Callable[[int, int], None] | None = None) -> None:
        """Serves until SIGTERM or SIGINT. `on_ports` gets the ports of HTTP and gRPC as soon as both accept."""
        if models:
            raise ValueError("the service loads its models from its folder; none can be given")
        self._owns_process = True
        uvloop.run(self.serve(on_ports))

    def stop(self, sig: int = signal.SIGTERM) -> None:
        """Begins the end: `start` returns when everything accepted is answered."""
        self._stop.set()

    async def serve(self, on_ports: Callable[[int, int], None] | None = None) -> None:
        """What `start` runs, for programs that have an event loop of their own."""
        settings, loop = self.settings, asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop)
        http = http_server_of(settings, self.dataplane)
        grpc = GrpcServer(
            self.dataplane, settings.host, settings.grpc_port, max_message=settings.max_request_bytes,
            client_limits=_client_limits(settings), keep_alive_seconds=settings.keep_alive_seconds,
            access_log=settings.access_log,
        )  # fmt: skip
        if settings.access_log:
            access_log.enable()
        serving = asyncio.create_task(http.start(), name="http")
        watching = self.dataplane.start_watch()
        try:
            grpc_port = await grpc.start()
            while http.port is None and not serving.done():
                await asyncio.sleep(0.01)
            if on_ports is not None and http.port is not None:
                on_ports(http.port, grpc_port)
            await self._until_stopped(serving)
        finally:
            self.dataplane.stopping = True
            if self._owns_process:
                _end_process_after(settings.grace_seconds + _LAST_SECONDS)
            _log.info("ending: accepted requests are finished")
            http.stop()
            await asyncio.gather(serving, grpc.stop(settings.grace_seconds), return_exceptions=True)
            watching.cancel()
            await self.dataplane.repository.close()
            _log.info("ended: %d inference requests were answered", answered())

    async def _until_stopped(self, serving: asyncio.Task[None]) -> None:
        stopped = asyncio.create_task(self._stop.wait())
        await asyncio.wait((stopped, serving), return_when=asyncio.FIRST_COMPLETED)
        if not self._stop.is_set():
            stopped.cancel()
            await serving  # raises why it ended
            raise ServerNotLive("the HTTP server ended by itself")
        self.dataplane.stopping = True
        await asyncio.sleep(self.settings.drain_seconds)


def _end_process_after(seconds: float) -> None:
    """Ends the process with status 1 if it still is there then: threads that don't return keep Python from ending."""

    def end() -> None:
        _log.critical("ending without waiting any longer for what does not end")
        logging.shutdown()
        os._exit(1)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
