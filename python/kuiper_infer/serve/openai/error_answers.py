# SPDX-License-Identifier: MIT
"""Errors in the form of OpenAI's protocol."""

from __future__ import annotations

from typing import Any

from fastapi import Response
from fastapi.responses import JSONResponse

from ..errors import ServeError, Status

_KINDS = {Status.QUEUE_FULL: "rate_limit_error", Status.NOT_FOUND: "not_found_error"}
_CODES = {Status.CONTEXT: "context_length_exceeded", Status.NOT_FOUND: "model_not_found"}


def error_response(error: ServeError) -> Response:
    """Returns an error in the form of the protocol."""
    headers = {"Connection": "close"} if error.status is Status.BODY_TIMEOUT else {}
    if error.status is Status.QUEUE_FULL:
        headers["Retry-After"] = "1"
    return JSONResponse(described(error), error.status.http, headers)


def described(error: ServeError) -> dict[str, Any]:
    """Returns the body of an error."""
    kind = _KINDS.get(error.status, "invalid_request_error" if error.status.http < 500 else "server_error")
    return {"error": {"message": str(error), "type": kind, "param": None, "code": _CODES.get(error.status)}}
