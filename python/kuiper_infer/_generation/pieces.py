# SPDX-License-Identifier: MIT
"""Parts of an answer, and what ends it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..text import LogProbabilities


class Piece(NamedTuple):
    """A part of an answer as it comes."""

    text: str  #: whole characters; empty if the token completes none
    token: int | None  #: None if the answer ended without another token
    finish_reason: str | None  #: in the last piece "stop", "length", "deadline" or "cancelled", otherwise None
    logprobs: LogProbabilities | None  #: if the option `logprobs` is set and there is a token
    index: int  # type: ignore[assignment]  #: of the prompt that it answers; hides the method of tuples


class StopTexts:
    """Looks for texts that end an answer, and holds back what may be the beginning of one."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._held = ""

    def push(self, text: str) -> tuple[str, bool]:
        """Returns what can be given out, and whether one of the texts has come: what it returns is then the last."""
        if not self._texts:
            return text, False
        held = self._held + text
        places = [place for place in (held.find(each) for each in self._texts) if place >= 0]
        if places:
            self._held = ""
            return held[: min(places)], True
        most = min(len(held), max(map(len, self._texts)) - 1)
        kept = next((n for n in range(most, 0, -1) if any(each.startswith(held[-n:]) for each in self._texts)), 0)
        self._held = held[len(held) - kept :]
        return held[: len(held) - kept], False

    def finish(self) -> str:
        """Returns what is held back at the end of the answer."""
        held, self._held = self._held, ""
        return held
