# SPDX-License-Identifier: MIT
"""Reading the body of an HTTP request within limits of size and time."""

from __future__ import annotations

import asyncio

from fastapi import Request
from kserve.constants.constants import INFERENCE_CONTENT_LENGTH_HEADER
from starlette.requests import ClientDisconnect

from .config import Limits
from .errors import ServeError, Status, shown


async def read_body(request: Request, limits: Limits, max_bytes: int, seconds: float) -> tuple[bytes, int]:
    """Returns the body and how many of its first bytes are JSON. A body that is too long is refused before it is there.

    `limits` are the model's, `max_bytes` is the service's own for any body.
    """
    encoding = request.headers.get("content-encoding", "identity")
    if encoding != "identity":
        raise ServeError(Status.ENCODING, f"bodies with 'Content-Encoding: {shown(encoding)}' are not read, send as is")
    json_length = _number_in(request, INFERENCE_CONTENT_LENGTH_HEADER, "the number of bytes of JSON in the body")
    if json_length is None:
        most, whose = limits.max_json_bytes, "the limit of JSON; raw arrays may be longer"
    else:
        _require(json_length <= limits.max_json_bytes, "JSON", limits.max_json_bytes, "the model's limit")
        most, whose = json_length + limits.max_request_bytes, "the model's limit with its JSON"
    if most > max_bytes:
        most, whose = max_bytes, "the service's limit"
    announced = _number_in(request, "content-length", "a number of bytes")
    _require(announced is None or announced <= most, "the body", most, whose)
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                body += part
                _require(len(body) <= most, "the body", most, whose)
    except TimeoutError:
        raise ServeError(Status.BODY_TIMEOUT, f"the body did not arrive within {seconds} s") from None
    except ClientDisconnect:
        raise ServeError(Status.CLIENT_GONE, f"the connection ended after {len(body)} bytes of the body") from None
    if json_length is not None and json_length > len(body):
        raise ServeError(
            Status.INVALID,
            f"the header '{INFERENCE_CONTENT_LENGTH_HEADER}' is {json_length}, the body has {len(body)} bytes",
        )
    return bytes(body), len(body) if json_length is None else json_length


def _require(fits: bool, what: str, most: int, whose: str) -> None:
    if not fits:
        raise ServeError(Status.TOO_LARGE, f"{what} has more than {most} bytes, {whose}")


def _number_in(request: Request, header: str, meaning: str) -> int | None:
    text = request.headers.get(header)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise ServeError(Status.INVALID, f"the header '{header}' is {shown(text)}, expected {meaning}")
    return int(text)
