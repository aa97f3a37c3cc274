# SPDX-License-Identifier: MIT
"""Answers as their readers see them."""

from __future__ import annotations

from collections.abc import Sequence

from .mailbox import Mailbox
from .pieces import Piece
from .request import Request
from .scheduler import Scheduler


class Answers:
    """The answers to several prompts, which are computed together: an iterator of their pieces as they come.

    It is an asynchronous iterator as well. `Piece.index` tells the prompt. Answers that nobody refers to any more, and
    those of `close`, are cancelled. One thread or task at a time may read.
    """

    def __init__(
        self, scheduler: Scheduler, requests: Sequence[Request], mailbox: Mailbox, owner: object = None
    ) -> None:
        self._owner = owner  # which would end the answers if nobody referred to it
        self._scheduler = scheduler
        self._requests = list(requests)
        self._mailbox = mailbox
        self._left = 0
        self._texts = [""] * len(requests)
        self._reasons: list[str | None] = [None] * len(requests)
        try:
            for request in self._requests:
                scheduler.submit(request)
        except BaseException:
            self.close()
            raise
        self._left = len(requests)

    def __iter__(self) -> Answers:
        return self

    def __next__(self) -> Piece:
        if self._left == 0:
            raise StopIteration
        return self._noted(self._mailbox.get())

    def __aiter__(self) -> Answers:
        return self

    async def __anext__(self) -> Piece:
        if self._left == 0:
            raise StopAsyncIteration
        return self._noted(await self._mailbox.get_async())

    def _noted(self, item: Piece | BaseException) -> Piece:
        if isinstance(item, BaseException):
            self._left = 0
            self.close()
            raise item
        self._texts[item.index] += item.text
        if item.finish_reason is not None:
            self._left -= 1
            self._reasons[item.index] = item.finish_reason
        return item

    def close(self) -> None:
        """Ends the answers that are not complete."""
        for request in self._requests:
            self._scheduler.cancel(request)

    def __del__(self) -> None:
        if getattr(self, "_left", 0):
            self.close()

    def __enter__(self) -> Answers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def texts(self) -> list[str]:
        """The texts of all answers, in the order of the prompts. Reads what has not been read."""
        for _ in self:
            pass
        return list(self._texts)

    @property
    def finish_reasons(self) -> list[str | None]:
        """Why each answer ended; None for those whose last piece has not been read."""
        return list(self._reasons)

    @property
    def prompt_tokens(self) -> list[int]:
        """The number of tokens of each prompt."""
        return [request.prompt_length for request in self._requests]

    @property
    def kept_tokens(self) -> list[int]:
        """The number of tokens of each prompt that did not have to be computed again."""
        return [request.kept for request in self._requests]


class Answer(Answers):
    """The answer to one prompt: an iterator of its pieces as they come, and an asynchronous one."""

    @property
    def text(self) -> str:
        """The text of the whole answer. Reads what has not been read."""
        return self.texts[0]

    @property
    def finish_reason(self) -> str | None:
        """Why the answer ended; None if its last piece has not been read."""
        return self.finish_reasons[0]
