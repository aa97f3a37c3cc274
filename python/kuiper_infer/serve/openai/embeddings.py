# SPDX-License-Identifier: MIT
"""Embeddings of texts, by a model that encodes sentences."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from kuiper_infer import Model
from kuiper_infer.text import Tokenizer

from ..config import ModelConfig
from ..errors import ServeError, Status
from .common_body import texts_or_tokens

Submit = Callable[[list[np.ndarray], float], Awaitable[list[np.ndarray]]]
_TRIED_TOKENS = 8
_MOST_INPUTS = 2048  # OpenAI's own limit
_Tokens = Annotated[list[int], Field(min_length=1)]


class EmbeddingBody(BaseModel):
    """A request for embeddings."""

    model_config = ConfigDict(extra="forbid", strict=True)

    model: str
    input: str | list[str] | _Tokens | list[_Tokens]
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: None = None  # the width is the model's
    user: str | None = None

    def inputs(self) -> list[str | list[int]]:
        """The inputs, each a text or tokens."""
        inputs = texts_or_tokens(self.input)
        if not 0 < len(inputs) <= _MOST_INPUTS:
            raise ServeError(Status.INVALID, f"input has {len(inputs)} entries, expected 1 to {_MOST_INPUTS}")
        return inputs


def is_encoder(engine: Model) -> bool:
    """Whether a model takes int64 tokens (batch, length), gives one float output of rank 2 or 3, and has no states."""
    inputs, outputs = engine.inputs, engine.outputs
    if engine.states or len(inputs) != 1 or len(outputs) != 1:
        return False
    takes = inputs[0].dtype == "int64" and len(inputs[0].shape or ()) == 2
    return takes and outputs[0].dtype == "float32" and len(outputs[0].shape or ()) in (2, 3)


def tried_row(engine: Model) -> list[tuple[int, int]]:
    """The shape of an encoder's inputs by which it is tried whether rows may run together."""
    (_, length) = engine.inputs[0].shape or (1, -1)
    return [(1, length if length > 0 else _TRIED_TOKENS)]


class Embedding:
    """Tokenizer and limits of one version of a model that encodes sentences."""

    def __init__(self, config: ModelConfig, tokenizer_file: Path) -> None:
        self._timeout = config.limits.timeout_seconds
        self._tokenizer = Tokenizer.load(tokenizer_file)

    async def answer(self, body: EmbeddingBody, submit: Submit, at_once: int) -> dict[str, Any]:
        """The body of the response. `submit` queues the arrays of one input until a deadline.

        `at_once`: inputs that wait in the queue at a time. Those of equal lengths are queued together, because only
        these run together.
        """
        deadline = time.monotonic() + self._timeout
        prompts = await asyncio.to_thread(self._prompts, body)
        order = sorted(range(len(prompts)), key=lambda index: len(prompts[index]))
        vectors: dict[int, np.ndarray] = {}
        for first in range(0, len(order), at_once):
            indices = order[first : first + at_once]
            arrays = [[np.array([prompts[index]], np.int64)] for index in indices]
            vectors.update(zip(indices, await _all(submit, arrays, deadline), strict=True))
        data = [
            {"object": "embedding", "index": index, "embedding": _encoded(vectors[index], body.encoding_format)}
            for index in range(len(prompts))
        ]
        count = sum(len(tokens) for tokens in prompts)
        usage = {"prompt_tokens": count, "total_tokens": count}
        return {"object": "list", "data": data, "model": body.model, "usage": usage}

    def _prompts(self, body: EmbeddingBody) -> list[list[int]]:
        prompts = [self._tokenizer.encode(each) if isinstance(each, str) else each for each in body.inputs()]
        for index, tokens in enumerate(prompts):
            if not tokens:
                raise ServeError(Status.INVALID, f"input {index} has no tokens, expected at least one")
            wrong = next((token for token in tokens if not 0 <= token < self._tokenizer.size), None)
            if wrong is not None:
                said = f"input {index} has the token {wrong}, expected 0 to {self._tokenizer.size - 1}"
                raise ServeError(Status.INVALID, said)
        return prompts


async def _all(submit: Submit, arrays: Sequence[list[np.ndarray]], deadline: float) -> list[np.ndarray]:
    """The vectors of inputs that are queued together."""
    outputs = await asyncio.gather(*(submit(each, deadline) for each in arrays))
    return [output[0] if output.ndim == 2 else output[0].mean(axis=0) for (output,) in outputs]


def _encoded(vector: np.ndarray, form: str) -> list[float] | str:
    if form == "base64":
        return base64.b64encode(vector.astype("<f4").tobytes()).decode()
    found: list[float] = vector.tolist()
    return found
