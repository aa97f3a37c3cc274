# SPDX-License-Identifier: MIT
"""Reading the body of an HTTP request within limits of size and time."""

from __future__ import annotations

import asyncio

from fastapi import Request
from kserve.constants.constants import INFERENCE_CONTENT_LENGTH_HEADER
from starlette.requests import ClientDisconnect

from .errors import ServeError, Status


async def read_body(request: Request, max_bytes: int, seconds: float) -> bytes:
    """Returns the body. One that is too long is read on for a while, so that its sender comes to read the answer."""
    encoding = request.headers.get("content-encoding", "identity")
    if encoding != "identity":
        raise ServeError(Status.ENCODING, f"bodies with 'Content-Encoding: {encoding}' are not read, send them as is")
    kept = bytearray()
    length = 0
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                length += len(part)
                if length <= max_bytes:
                    kept += part
                elif length > 2 * max_bytes:
                    break
                else:
                    kept.clear()
    except TimeoutError:
        raise ServeError(Status.BODY_TIMEOUT, f"the body did not arrive within {seconds} s") from None
    except ClientDisconnect:
        raise ServeError(Status.INVALID, f"the connection ended after {length} bytes of the body") from None
    if length > max_bytes:
        raise ServeError(Status.TOO_LARGE, f"the body has more than {max_bytes} bytes, the service's limit")
    return bytes(kept)


def json_length_of(request: Request, body_length: int) -> int:
    """Returns how much of the body is JSON: all, or what the header of the binary extension says."""
    text = request.headers.get(INFERENCE_CONTENT_LENGTH_HEADER)
    if text is None:
        return body_length
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= body_length):
        raise ServeError(
            Status.INVALID,
            f"the header '{INFERENCE_CONTENT_LENGTH_HEADER}' is '{text}', expected the number of bytes of JSON "
            f"in the body of {body_length} bytes",
        )
    return int(text)
