# SPDX-License-Identifier: MIT
"""Answers in the forms of OpenAI's protocol, whole and as streams."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import AsyncIterator
from typing import Any

from kuiper_infer import Answers, Piece
from kuiper_infer.text import Tokenizer

from ..errors import ServeError, Status
from .bodies import ChatBody, Common
from .constraints import tool_schema


class Form:
    """The form of the answers to one request."""

    def __init__(self, body: Common, tokenizer: Tokenizer, echoed: list[str] | None = None) -> None:
        self._tokenizer = tokenizer
        self._chat = isinstance(body, ChatBody)
        self._call = isinstance(body, ChatBody) and tool_schema(body) is not None
        self._echoed = echoed  # texts that stand before the answers
        self._usage = body.stream_options is not None and body.stream_options.include_usage
        kind = "chat.completion" if self._chat else "text_completion"
        name = "chatcmpl-" if self._chat else "cmpl-"
        self._head = {"id": name + secrets.token_hex(12), "created": int(time.time()), "model": body.model}
        self._whole_kind = kind
        self._part_kind = "chat.completion.chunk" if self._chat else kind

    async def whole(self, answers: Answers) -> dict[str, Any]:
        """The body of the response when all answers are complete."""
        pieces: list[list[Piece]] = [[] for _ in answers.finish_reasons]
        async for piece in answers:
            _require_end(piece)
            pieces[piece.index].append(piece)
        choices = [self._choice(index, each) for index, each in enumerate(pieces)]
        tokens = sum(piece.token is not None for each in pieces for piece in each)
        return {**self._head, "object": self._whole_kind, "choices": choices, "usage": _usage(answers, tokens)}

    async def stream(self, answers: Answers) -> AsyncIterator[str]:
        """The events of a stream. One that ends without `[DONE]` has failed: its last event tells why."""
        tokens = 0
        calls: dict[int, list[Piece]] = {}  # a call is told as a whole
        if self._chat or self._echoed:
            for index in range(len(answers.finish_reasons)):
                yield self._event([self._part(index, None)])
        async for piece in answers:
            _require_end(piece)
            tokens += piece.token is not None
            if self._call:
                calls.setdefault(piece.index, []).append(piece)
                if piece.finish_reason:
                    yield self._event([self._call_part(piece.index, calls[piece.index])])
            elif piece.text or piece.logprobs or piece.finish_reason:
                yield self._event([self._part(piece.index, piece)])
        if self._usage:
            yield self._event([], _usage(answers, tokens))
        yield "data: [DONE]\n\n"

    def _event(self, choices: list[dict[str, Any]], usage: dict[str, Any] | None = None) -> str:
        body = {**self._head, "object": self._part_kind, "choices": choices}
        if self._usage:
            body["usage"] = usage
        return f"data: {json.dumps(body, ensure_ascii=False)}\n\n"

    def _choice(self, index: int, pieces: list[Piece]) -> dict[str, Any]:
        text = "".join(piece.text for piece in pieces)
        reason = pieces[-1].finish_reason
        choice: dict[str, Any] = {"index": index, "finish_reason": reason, "logprobs": self._logprobs(pieces)}
        if not self._chat:
            return {**choice, "text": self._echo(index) + text}
        message: dict[str, Any] = {"role": "assistant", "content": text}
        call = _call_of(text) if self._call else None
        if call is not None:
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
            choice["finish_reason"] = "tool_calls"
        return {**choice, "message": message}

    def _part(self, index: int, piece: Piece | None) -> dict[str, Any]:
        """A part of a stream; without a piece what comes before the answer."""
        reason = piece.finish_reason if piece else None
        part = {"index": index, "finish_reason": reason, "logprobs": self._logprobs([piece] if piece else [])}
        if not self._chat:
            return {**part, "text": piece.text if piece else self._echo(index)}
        if piece is None:
            return {**part, "delta": {"role": "assistant", "content": ""}}
        return {**part, "delta": {"content": piece.text} if piece.text else {}}

    def _call_part(self, index: int, pieces: list[Piece]) -> dict[str, Any]:
        """The part of a stream with a call, or with the text of one that was cut off."""
        choice = self._choice(index, pieces)
        message = choice.pop("message")
        if "tool_calls" in message:
            return {**choice, "delta": {"tool_calls": [{"index": 0, **call} for call in message["tool_calls"]]}}
        return {**choice, "delta": {"content": message["content"]}}

    def _echo(self, index: int) -> str:
        return self._echoed[index] if self._echoed else ""

    def _logprobs(self, pieces: list[Piece]) -> dict[str, Any] | None:
        told = [(each.token, each.logprobs) for each in pieces if each.logprobs is not None and each.token is not None]
        if not told:
            return None
        if self._chat:
            return {
                "content": [
                    {
                        **self._scored(token, found.chosen),
                        "top_logprobs": [self._scored(*each) for each in found.best],
                    }
                    for token, found in told
                ]
            }
        names = [self._name(token) for token, _ in told]
        best = [{self._name(token): score for token, score in found.best} for _, found in told]
        return {"tokens": names, "token_logprobs": [found.chosen for _, found in told], "top_logprobs": best}

    def _scored(self, token: int, score: float) -> dict[str, Any]:
        name = self._name(token)
        return {"token": name, "logprob": score, "bytes": None if "\ufffd" in name else list(name.encode())}

    def _name(self, token: int) -> str:
        return self._tokenizer.decode([token], special_tokens=True)


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


def _call_of(text: str) -> dict[str, Any] | None:
    """The call that a text is; None for one that was cut off."""
    try:
        call = json.loads(text)
    except (ValueError, RecursionError):
        return None
    arguments = json.dumps(call["arguments"], ensure_ascii=False)
    function = {"name": call["name"], "arguments": arguments}
    return {"id": "call_" + secrets.token_hex(12), "type": "function", "function": function}
