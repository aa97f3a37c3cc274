# SPDX-License-Identifier: MIT
"""Options of one answer."""

from __future__ import annotations

import dataclasses
import math
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import TypedDict

import numpy as np

from .._checks import MOST_EXTENT, integer, number
from ..text import Sampler
from ..text._sampler import MOST_SEED
from ..text._tokenizer import tokens_of, utf8_of

# Gets the tokens of prompt and answer so far and the logits of the next token, and returns the logits to choose from,
# or None if it has changed the array in place. Minus infinity forbids a token.
LogitsProcessor = Callable[[Sequence[int], np.ndarray], "np.ndarray | None"]


class GenerateKeywords(TypedDict, total=False):
    """The keywords of `GenerateOptions`, which describes them."""

    max_tokens: int | None
    stop: str | Sequence[str]
    stop_tokens: Sequence[int]
    ignore_endings: bool
    deadline: float | None
    seed: int | None
    logprobs: int | None
    logits_processor: LogitsProcessor | None
    temperature: float
    top_k: int
    top_p: float
    min_p: float
    typical_p: float
    repetition_penalty: float
    frequency_penalty: float
    presence_penalty: float
    logit_bias: Mapping[int, float] | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class GenerateOptions:
    """Options of one answer. `text.Sampler` describes those that choose its tokens."""

    max_tokens: int | None = None  #: the most tokens of the answer; None: as many as there is room for
    stop: str | Sequence[str] = ()  #: texts that end the answer and are not part of it
    stop_tokens: Sequence[int] = ()  #: tokens that end the answer besides those that the tokenizer names
    ignore_endings: bool = False  #: tokens that end an answer are tokens like others: for measurements
    deadline: float | None = None  #: a moment of `time.monotonic()` at which the answer ends
    seed: int | None = None  #: None: another one for each answer
    logprobs: int | None = None  #: how many of the best tokens are told with each token; 0: the chosen one alone
    logits_processor: LogitsProcessor | None = None  #: changes the logits before a token is chosen
    temperature: float = 0
    top_k: int = 0
    top_p: float = 1
    min_p: float = 0
    typical_p: float = 1
    repetition_penalty: float = 1
    frequency_penalty: float = 0
    presence_penalty: float = 0
    logit_bias: Mapping[int, float] | None = None

    def __post_init__(self) -> None:
        if self.max_tokens is not None:
            integer("max_tokens", self.max_tokens, 1, MOST_EXTENT)
        if self.seed is not None:
            integer("seed", self.seed, 0, MOST_SEED)
        if self.logprobs is not None:
            integer("logprobs", self.logprobs, 0)
        if self.deadline is not None and math.isnan(number("deadline", self.deadline)):
            raise ValueError("deadline is nan, expected a moment of time.monotonic()")
        if self.logits_processor is not None and not callable(self.logits_processor):
            raise TypeError(f"logits_processor is {self.logits_processor!r}, expected a function, or None")
        self.stop_texts()
        tokens_of("stop_tokens", self.stop_tokens)

    def of_answer(self, index: int) -> GenerateOptions:
        """The options of one of several answers: each has a seed of its own."""
        return self if self.seed is None else dataclasses.replace(self, seed=(self.seed + index) & MOST_SEED)

    def with_processor(self, processor: LogitsProcessor) -> GenerateOptions:
        """Returns a copy of the options with a function that changes the logits."""
        return dataclasses.replace(self, logits_processor=processor)

    def stop_texts(self) -> list[str]:
        """The texts that end the answer."""
        texts = [self.stop] if isinstance(self.stop, str) else list(self.stop)
        for text in texts:
            if not isinstance(text, str):
                raise TypeError(f"stop has {text!r}, expected texts")
            if not text:
                raise ValueError("stop has an empty text, expected texts that are not empty")
        return [utf8_of("stop", text).decode() for text in texts]

    def sampler(self, vocabulary: int) -> Sampler:
        """A sampler for one answer. Raises `KuiperError` for values that are not possible."""
        return Sampler(
            vocabulary,
            logit_bias=self.logit_bias,
            repetition_penalty=self.repetition_penalty,
            frequency_penalty=self.frequency_penalty,
            presence_penalty=self.presence_penalty,
            temperature=self.temperature,
            top_k=self.top_k,
            top_p=self.top_p,
            min_p=self.min_p,
            typical_p=self.typical_p,
            seed=secrets.randbits(64) if self.seed is None else self.seed,
        )
