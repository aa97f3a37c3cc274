# SPDX-License-Identifier: MIT
"""Answers in the forms of OpenAI's protocol, whole and as streams."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any, ClassVar

from kuiper_infer import Answers, Piece
from kuiper_infer.text import LogProbabilities, Tokenizer

from ..errors import ServeError, Status
from .common_body import Common

Choice = dict[str, Any]  # an element of an answer's member `choices`


class Form:
    """The form of the answers to one request. Conversations and completions have one each."""

    prefix: ClassVar[str]  # of an answer's id
    whole_kind: ClassVar[str]
    part_kind: ClassVar[str]

    def __init__(self, body: Common, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._usage = body.stream_options is not None and body.stream_options.include_usage
        self._head = {"id": self.prefix + secrets.token_hex(12), "created": int(time.time()), "model": body.model}

    def beginning(self, index: int) -> Choice | None:
        """The part of a stream that comes before the answer; None if nothing does."""
        raise NotImplementedError

    async def parts(self, piece: Piece) -> list[Choice]:
        """The parts of a stream for a piece of an answer."""
        raise NotImplementedError

    async def choice(self, index: int, pieces: list[Piece]) -> Choice:
        """A whole answer."""
        raise NotImplementedError

    async def whole(self, answers: Answers) -> dict[str, Any]:
        """The body of the response when all answers are complete."""
        pieces: list[list[Piece]] = [[] for _ in answers.finish_reasons]
        async for piece in answers:
            _require_end(piece)
            pieces[piece.index].append(piece)
        choices = [await self.choice(index, each) for index, each in enumerate(pieces)]
        tokens = sum(piece.token is not None for each in pieces for piece in each)
        return {**self._head, "object": self.whole_kind, "choices": choices, "usage": _usage(answers, tokens)}

    async def stream(self, answers: Answers) -> AsyncIterator[str]:
        """The events of a stream. One that ends without `[DONE]` has failed: its last event tells why."""
        tokens = 0
        for index in range(len(answers.finish_reasons)):
            if (begun := self.beginning(index)) is not None:
                yield self._event([begun])
        async for piece in answers:
            _require_end(piece)
            tokens += piece.token is not None
            for part in await self.parts(piece):
                yield self._event([part])
        if self._usage:
            yield self._event([], _usage(answers, tokens))
        yield "data: [DONE]\n\n"

    def _event(self, choices: list[Choice], usage: dict[str, Any] | None = None) -> str:
        body = {**self._head, "object": self.part_kind, "choices": choices}
        if self._usage:
            body["usage"] = usage
        return f"data: {json.dumps(body, ensure_ascii=False)}\n\n"

    def _name(self, token: int) -> str:
        return self._tokenizer.decode([token], special_tokens=True)


def with_logprobs(pieces: Sequence[Piece]) -> list[tuple[int, LogProbabilities]]:
    """The tokens of the pieces with their log-probabilities, where a request asked for these."""
    return [(each.token, each.logprobs) for each in pieces if each.logprobs is not None and each.token is not None]


def _require_end(piece: Piece) -> None:
    """Raises a ServeError for an answer that ended before its end."""
    if piece.finish_reason == "deadline":
        raise ServeError(Status.DEADLINE, "the deadline passed before the answer was complete")
    if piece.finish_reason == "cancelled":
        raise ServeError(Status.UNAVAILABLE, "the answer was given up")


def _usage(answers: Answers, tokens: int) -> dict[str, Any]:
    """Counts of tokens. A prompt with several answers counts for each of them."""
    prompt = sum(answers.prompt_tokens)
    details = {"cached_tokens": sum(answers.kept_tokens)}
    return {
        "prompt_tokens": prompt, "completion_tokens": tokens, "total_tokens": prompt + tokens,
        "prompt_tokens_details": details,
    }  # fmt: skip
