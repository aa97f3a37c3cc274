# SPDX-License-Identifier: MIT
"""gRPC calls whose client does not send its message, or does not take its answer."""

from __future__ import annotations

import asyncio


class Patience:
    """Bounds how many calls wait for their client, and for how long.

    Where one more than `most` waits, the one that has waited for the longest time is given up, so that calls are
    answered however many wait.
    """

    def __init__(self, most: int, seconds: float) -> None:
        self.most = most
        self.seconds = seconds
        self.waiting: dict[Wait, None] = {}  # the longest first

    def wait(self) -> Wait:
        """Begins to wait for the client of the call whose task this is."""
        return Wait(self)


class Wait:
    """A call's wait for its client."""

    def __init__(self, patience: Patience) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._patience = patience
        self._give_up = task.cancel
        self._timer: asyncio.TimerHandle | None = None
        task.add_done_callback(self.end)
        self.begin()

    def begin(self) -> None:
        """The client is waited for."""
        waiting = self._patience.waiting
        self._timer = asyncio.get_running_loop().call_later(self._patience.seconds, self._give_up)
        waiting[self] = None
        if len(waiting) > self._patience.most:
            longest = next(iter(waiting))
            longest.end()
            longest._give_up()

    def end(self, *_: object) -> None:
        """It has done its part, or the call has ended."""
        self._patience.waiting.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
