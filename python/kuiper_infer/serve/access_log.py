# SPDX-License-Identifier: MIT
"""The access log: a line for each request with client, request, status, lengths and duration."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
from grpc import aio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_log = logging.getLogger("kserve.kuiper_infer.access")

_GRPC_NAMES = {code.value[0]: code.name for code in grpc.StatusCode}
_LONGEST = 400  # characters that a line quotes of a path or a name


def enable() -> None:
    """Lets the lines through whatever the level of the rest of the log is."""
    _log.setLevel(logging.INFO)


def note(client: str, method: str, path: str, status: int | str, received: int, sent: int, begun: float,
         model: str) -> None:  # fmt: skip
    """Logs a request that began at the moment `begun` of `time.monotonic()`; lengths are those of body or message."""
    fields = {
        "client": client,
        "method": method,
        "path": path[:_LONGEST],
        "status": status,
        "received": received,
        "sent": sent,
        "milliseconds": round((time.monotonic() - begun) * 1000, 3),
        "model": model[:_LONGEST],
    }
    text = "%(client)s %(method)s %(path)r %(status)s received %(received)d sent %(sent)d %(milliseconds).3f ms"
    _log.info((text + " model %(model)r" if model else text) % fields, extra={"fields": fields})


class HttpAccessLog:
    """An ASGI middleware that notes each HTTP request. Where a client left before its answer, the status is 499."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.monotonic()
        status, received, sent = 499, 0, 0

        async def receiving() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message

        async def sending(message: Message) -> None:
            nonlocal status, sent
            status = message.get("status", status)
            sent += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receiving, sending)
        finally:
            client = ":".join(map(str, scope["client"] or ("unknown",)))
            path = scope["raw_path"].decode("ascii", "backslashreplace")
            model = scope.get("path_params", {}).get("model_name", "")
            note(client, scope["method"], path, status, received, sent, begun, model)


Call = Callable[[Any, aio.ServicerContext], Awaitable[Any]]


def noted(call: Call, path: str) -> Call:
    """Returns a gRPC method that notes each call of it."""

    async def noting(request: Any, context: aio.ServicerContext) -> Any:
        begun = time.monotonic()
        status, sent = "OK", 0
        try:
            response = await call(request, context)
            sent = response.ByteSize()
            return response
        except asyncio.CancelledError:
            status = "CANCELLED"
            raise
        except BaseException:
            code = context.code()
            status = _GRPC_NAMES.get(code, "UNKNOWN") if isinstance(code, int) else code.name
            raise
        finally:
            model = getattr(request, "model_name", "") or getattr(request, "name", "")
            received = request.ByteSize() if hasattr(request, "ByteSize") else 0
            note(context.peer(), "gRPC", path, status, received, sent, begun, model)

    return noting
