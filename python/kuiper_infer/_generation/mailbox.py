# SPDX-License-Identifier: MIT
"""The way of pieces from the scheduler's thread to whoever reads them, in a thread or in an event loop."""

from __future__ import annotations

import asyncio
import threading
from collections import deque

from .pieces import Piece


class Mailbox:
    """A queue of pieces with one reader."""

    def __init__(self) -> None:
        self._items: deque[Piece | BaseException] = deque()
        self._changed = threading.Condition()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._event: asyncio.Event | None = None

    def put(self, item: Piece | BaseException) -> None:
        """Adds a piece, or the error that ends the answer."""
        with self._changed:
            self._items.append(item)
            self._changed.notify()
            if self._loop is not None and self._event is not None:
                self._loop.call_soon_threadsafe(self._event.set)

    def get(self) -> Piece | BaseException:
        """Waits for the next piece."""
        with self._changed:
            while not self._items:
                self._changed.wait()
            return self._items.popleft()

    async def get_async(self) -> Piece | BaseException:
        """Waits for the next piece in an event loop."""
        while True:
            with self._changed:
                if self._items:
                    return self._items.popleft()
                loop = asyncio.get_running_loop()
                if self._loop is not loop or self._event is None:
                    self._loop, self._event = loop, asyncio.Event()
                event = self._event
                event.clear()
            await event.wait()
