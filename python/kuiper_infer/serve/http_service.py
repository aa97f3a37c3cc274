# SPDX-License-Identifier: MIT
"""The protocol over HTTP: KServe's endpoints, with versions, and with bodies that are limited and kept as bytes."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from typing import Any

import uvicorn
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import JSONResponse
from kserve.constants.constants import INFERENCE_CONTENT_LENGTH_HEADER, V2_ROUTE_PREFIX
from kserve.model_server import app as kserve_application
from kserve.protocol.rest.server import RESTServer, metrics_handler
from kserve.protocol.rest.v2_endpoints import V2Endpoints
from starlette.exceptions import HTTPException

from .access_log import HttpAccessLog
from .body import read_body
from .data_plane import ServiceDataPlane, count_answer, report
from .disconnect import while_connected
from .errors import ServeError, Status, shown
from .extension_endpoints import add_extensions
from .http_connection import ClientLimits, Connection, connection_class
from .inspection import add_inspection
from .json_codec import LONG_JSON, decode_request, encode_response, text_size
from .openai.endpoints import OpenAIEndpoints, openai_router
from .page_files import page_router

# The first words of Triton's paths that the Open Inference Protocol does not have, and the last ones below a model.
_TRITON = ("repository", "systemsharedmemory", "cudasharedmemory", "trace", "logging")
_TRITON_OF_MODEL = ("config", "trace", "generate", "generate_stream")


class Endpoints(V2Endpoints):
    """The protocol's HTTP endpoints."""

    dataplane: ServiceDataPlane

    def __init__(self, dataplane: ServiceDataPlane, max_body: int, body_seconds: float) -> None:
        super().__init__(dataplane)
        self._max_body = max_body
        self._body_seconds = body_seconds

    async def live(self) -> Any:
        """Tells whether the service works."""
        if (await self.dataplane.live())["status"] != "alive":
            raise ServeError(Status.UNAVAILABLE, "the service is not live")
        return {"live": True}

    async def ready(self) -> Any:
        """Tells whether each model answers. KServe's logs a trace for each time that it does not."""
        if not await self.dataplane.ready():
            raise ServeError(Status.UNAVAILABLE, "the service is not ready")
        return {"ready": True}

    async def model_metadata(self, model_name: str, model_version: str | None = None) -> Any:
        """Describes a model."""
        return JSONResponse(self.dataplane.version_metadata(model_name, model_version))

    async def model_ready(self, model_name: str, model_version: str | None = None) -> Any:
        """Tells whether a model answers."""
        if not self.dataplane.version_ready(model_name, model_version):
            raise ServeError(Status.UNAVAILABLE, f"model '{model_name}' is not ready")
        return JSONResponse({"name": model_name, "ready": True})

    async def infer(  # type: ignore[override]  # KServe's takes a body that FastAPI has read, without limit
        self, request: Request, model_name: str, model_version: str | None = None
    ) -> Response:
        """Answers an inference request."""
        try:
            response = await self._infer(request, model_name, model_version)
        except Exception as error:  # each gets a status
            told = report(error, "http", f"a request to model {shown(model_name)}")
            count_answer("http", str(told.status.http))
            return error_response(told)
        count_answer("http", "200")
        return response

    async def _infer(self, request: Request, model_name: str, model_version: str | None) -> Response:
        limits = self.dataplane.limits(model_name, model_version)
        body, json_length = await read_body(request, limits, self._max_body, self._body_seconds)
        with self.dataplane.place():
            work = self._answer(body, json_length, model_name, model_version, limits.max_json_bytes)
            return await while_connected(request, work)

    async def _answer(self, body: bytes, json_length: int, name: str, version: str | None, most: int) -> Response:
        decoded = await self.dataplane.compute(json_length > LONG_JSON, decode_request, body, json_length, name)
        result = await self.dataplane.answer(decoded, version)
        size = text_size(result)
        if size > most:
            said = f"the outputs may take {size} bytes as JSON, the model's limit is {most}; ask for binary data"
            raise ServeError(Status.TOO_LARGE, said)
        content, head = await self.dataplane.compute(size > LONG_JSON, encode_response, result)
        if head is None:
            return Response(content, media_type="application/json")
        headers = {INFERENCE_CONTENT_LENGTH_HEADER: str(head)}
        return Response(content, media_type="application/octet-stream", headers=headers)


def router(endpoints: Endpoints, body_seconds: float) -> APIRouter:
    """The paths that the service answers."""
    routes = APIRouter(prefix=V2_ROUTE_PREFIX, default_response_class=JSONResponse)
    add_extensions(routes, endpoints.dataplane, body_seconds)
    add_inspection(routes, endpoints.dataplane)
    routes.add_api_route("", endpoints.metadata, methods=["GET"])
    routes.add_api_route("/health/live", endpoints.live, methods=["GET"])
    routes.add_api_route("/health/ready", endpoints.ready, methods=["GET"])
    routes.add_api_route("/models", endpoints.models, methods=["GET"])
    for model in ("/models/{model_name}", "/models/{model_name}/versions/{model_version}"):
        routes.add_api_route(model, endpoints.model_metadata, methods=["GET"], response_model=None)
        routes.add_api_route(model + "/ready", endpoints.model_ready, methods=["GET"], response_model=None)
        routes.add_api_route(model + "/infer", endpoints.infer, methods=["POST"], response_model=None)
    routes.add_api_route("/{path:path}", _beyond_protocol, methods=["GET", "POST"], response_model=None)
    return routes


async def _beyond_protocol(path: str) -> Response:
    words = path.split("/")
    if words[0] in _TRITON or (words[0] == "models" and words[-1] in _TRITON_OF_MODEL):
        raise ServeError(Status.UNIMPLEMENTED, f"{shown('/v2/' + path)} is not part of the Open Inference Protocol")
    raise HTTPException(404, f"there is no path {shown('/v2/' + path)}")


def error_response(error: ServeError) -> Response:
    """Returns an error in the form of the protocol. The rest of a body that was not read is skipped."""
    headers = {"Connection": "close"} if error.status is Status.BODY_TIMEOUT else None
    return JSONResponse({"error": str(error)}, error.status.http, headers)


class _Server(uvicorn.Server):
    """Ends connections whose client had its time. Leaves signals to the service, which has more to end."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def on_tick(self, counter: int) -> bool:
        """Is called ten times a second."""
        for connection in [c for c in self.server_state.connections if isinstance(c, Connection) and c.overdue()]:
            connection.transport.abort()
        return await super().on_tick(counter)


class HttpServer(RESTServer):
    """KServe's HTTP server with this service's endpoints."""

    dataplane: ServiceDataPlane

    def __init__(self, dataplane: ServiceDataPlane, host: str, port: int, *, max_body: int,
                 client_limits: ClientLimits, grace_seconds: int, keep_alive_seconds: int,
                 access_log: bool, page: bool = True) -> None:  # fmt: skip
        super().__init__(
            "kserve.model_server:app", dataplane, None, port, grace_period=grace_seconds,
            timeout_keep_alive=keep_alive_seconds,
        )  # fmt: skip
        self.config.host = host
        self.config.http = connection_class(client_limits)
        self.config.ws = "none"
        self.config.lifespan = "off"
        logging.getLogger("uvicorn.access").setLevel(logging.WARNING)  # no line for each request
        self._server = _Server(self.config)
        self._access_log = access_log
        self._page = page
        self._body_seconds = client_limits.body_seconds
        self._openai = OpenAIEndpoints(dataplane, max_body, client_limits.body_seconds)
        self._endpoints = Endpoints(dataplane, max_body, client_limits.body_seconds)

    def application(self) -> FastAPI:
        """The paths that are answered, for this server or another one. KServe has one application for a process."""
        self.create_application()
        return kserve_application

    async def start(self) -> None:
        """Serves until `stop`, then finishes the requests that have begun."""
        self.application()
        try:
            await self._server.serve()
        except SystemExit:  # uvicorn's way of saying that it can't listen, after it has logged why
            raise OSError(f"HTTP can't listen on {self.config.host}:{self.config.port}") from None

    @property
    def port(self) -> int | None:
        """The port that connections are accepted on, None before they are."""
        return self._server.servers[0].sockets[0].getsockname()[1] if self._server.started else None

    def stop(self) -> None:
        """Accepts nothing more; `start` returns when all is answered."""
        self._server.should_exit = True

    def _register_endpoints(self, app: FastAPI) -> None:
        app.add_api_route("/metrics", metrics_handler, methods=["GET"])
        if self._page:
            app.include_router(page_router())
        app.include_router(openai_router(self._openai))
        app.include_router(router(self._endpoints, self._body_seconds))

    def _add_middlewares(self, app: FastAPI) -> None:
        """Adds none of KServe's middlewares, whose log of each request tells less."""
        if self._access_log:
            app.add_middleware(HttpAccessLog)

    def _add_exception_handlers(self, app: FastAPI) -> None:
        super()._add_exception_handlers(app)
        app.add_exception_handler(ServeError, _on_serve_error)
        app.add_exception_handler(HTTPException, _on_http_error)


async def _on_serve_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, ServeError)
    return error_response(error)


async def _on_http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, dict(error.headers or {}))
