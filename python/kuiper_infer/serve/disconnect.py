# SPDX-License-Identifier: MIT
"""Requests whose client has gone are not computed."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

from fastapi import Request

from .errors import ServeError, Status

Result = TypeVar("Result")


async def while_connected(request: Request, work: Coroutine[None, None, Result]) -> Result:
    """Returns the result of `work`, or cancels it if the connection of `request` ends before. The body has to be read.

    A client that closes only its sending side counts as gone, too: the server would close the connection anyway.
    """
    working = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_connection_ended(request))
    try:
        await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise ServeError(Status.CLIENT_GONE, "the client has gone")
    finally:
        working.cancel()  # no effect if it is done
        gone.cancel()


async def _connection_ended(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
