# SPDX-License-Identifier: MIT
"""The form of continued texts."""

from __future__ import annotations

from typing import Any

from kuiper_infer import Piece
from kuiper_infer.text import Tokenizer

from .answers import Choice, Form, with_logprobs
from .bodies import CompletionBody


class CompletionForm(Form):
    """The form of the continuations of texts. `echoed`: the prompt of each answer, if they stand before the answers."""

    prefix = "cmpl-"
    whole_kind = part_kind = "text_completion"

    def __init__(self, body: CompletionBody, tokenizer: Tokenizer, echoed: list[str] | None) -> None:
        super().__init__(body, tokenizer)
        self._echoed = echoed

    def beginning(self, index: int) -> Choice | None:
        """The prompt, if it is wanted."""
        if self._echoed is None:
            return None
        return {"index": index, "finish_reason": None, "logprobs": None, "text": self._echoed[index]}

    async def parts(self, piece: Piece) -> list[Choice]:
        """The text of a piece, if there is anything to tell."""
        told = piece.text or piece.logprobs or piece.finish_reason
        return [self._told(piece.index, [piece])] if told else []

    async def choice(self, index: int, pieces: list[Piece]) -> Choice:
        """The prompt, if it is wanted, and the whole text."""
        return self._told(index, pieces, self._echoed[index] if self._echoed else "")

    def _told(self, index: int, pieces: list[Piece], before: str = "") -> Choice:
        text = before + "".join(piece.text for piece in pieces)
        reason = pieces[-1].finish_reason
        return {"index": index, "finish_reason": reason, "logprobs": self._logprobs(pieces), "text": text}

    def _logprobs(self, pieces: list[Piece]) -> dict[str, Any] | None:
        told = with_logprobs(pieces)
        if not told:
            return None
        names = [self._name(token) for token, _ in told]
        best = [{self._name(token): score for token, score in found.best} for _, found in told]
        return {"tokens": names, "token_logprobs": [found.chosen for _, found in told], "top_logprobs": best}
