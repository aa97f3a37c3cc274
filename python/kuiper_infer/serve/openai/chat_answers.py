# SPDX-License-Identifier: MIT
"""The form of answers to conversations."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from kuiper_infer import Piece
from kuiper_infer.text import Tokenizer

from .answers import Choice, Form, with_logprobs
from .bodies import ChatBody
from .tools import CallReader


class ChatForm(Form):
    """The form of answers to a conversation. `readers`: of each answer, if it may call tools."""

    prefix = "chatcmpl-"
    whole_kind = "chat.completion"
    part_kind = "chat.completion.chunk"

    def __init__(self, body: ChatBody, tokenizer: Tokenizer, readers: Sequence[CallReader | None]) -> None:
        super().__init__(body, tokenizer)
        self._readers = readers

    def beginning(self, index: int) -> Choice | None:
        """Who speaks."""
        return _part(index, {"role": "assistant", "content": ""})

    async def parts(self, piece: Piece) -> list[Choice]:
        """The text of a piece as it is known to be no call, the calls, and the end."""
        text, calls, reason = await self._read(piece)
        logprobs = self._logprobs([piece])
        parts = [_part(piece.index, {"content": text} if text else {}, logprobs)] if text or logprobs else []
        if calls:
            parts.append(_part(piece.index, {"tool_calls": [{"index": n, **call} for n, call in enumerate(calls)]}))
        if reason is not None:
            parts.append({**_part(piece.index, {}), "finish_reason": reason})
        return parts

    async def choice(self, index: int, pieces: list[Piece]) -> Choice:
        """A whole message."""
        texts: list[str] = []
        calls: list[dict[str, Any]] = []
        reason = None
        for piece in pieces:
            text, calls, reason = await self._read(piece)
            texts.append(text)
        content = "".join(texts)
        message: dict[str, Any] = {"role": "assistant", "content": content}
        if calls:
            message = {"role": "assistant", "content": content if content.strip() else None, "tool_calls": calls}
        return {"index": index, "finish_reason": reason, "logprobs": self._logprobs(pieces), "message": message}

    async def _read(self, piece: Piece) -> tuple[str, list[dict[str, Any]], str | None]:
        """What a piece adds to the text, all calls if it is the last one, and why the answer ended."""
        reader = self._readers[piece.index]
        if reader is None:
            return piece.text, [], piece.finish_reason
        text = reader.push(piece)
        if piece.finish_reason is None:
            return text, [], None
        rest, calls = await asyncio.to_thread(reader.finish)
        return text + rest, calls, "tool_calls" if calls else piece.finish_reason

    def _logprobs(self, pieces: list[Piece]) -> dict[str, Any] | None:
        told = with_logprobs(pieces)
        if not told:
            return None
        scored = [
            {**self._scored(token, found.chosen), "top_logprobs": [self._scored(*each) for each in found.best]}
            for token, found in told
        ]
        return {"content": scored}

    def _scored(self, token: int, score: float) -> dict[str, Any]:
        name = self._name(token)
        return {"token": name, "logprob": score, "bytes": None if "\ufffd" in name else list(name.encode())}


def _part(index: int, delta: dict[str, Any], logprobs: dict[str, Any] | None = None) -> Choice:
    return {"index": index, "finish_reason": None, "logprobs": logprobs, "delta": delta}
