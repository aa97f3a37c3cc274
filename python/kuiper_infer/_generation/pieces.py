# SPDX-License-Identifier: MIT
"""Parts of an answer."""

from __future__ import annotations

from typing import NamedTuple

from ..text import LogProbabilities


class Piece(NamedTuple):
    """A part of an answer as it comes."""

    text: str  #: whole characters; empty if the token completes none
    token: int | None  #: None if the answer ended without another token
    finish_reason: str | None  #: in the last piece "stop", "length", "deadline" or "cancelled", otherwise None
    logprobs: LogProbabilities | None  #: if the option `logprobs` is set and there is a token
    index: int  # type: ignore[assignment]  #: of the prompt that it answers; hides the method of tuples
