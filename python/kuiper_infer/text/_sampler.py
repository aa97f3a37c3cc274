# SPDX-License-Identifier: MIT
"""The choice of the next token from a model's logits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from .. import _core
from .._checks import MOST_EXTENT, integer, number
from ._tokenizer import tokens_of

MOST_SEED = 2**64 - 1


class LogProbabilities(NamedTuple):
    """The log-probabilities that a model gives to tokens, before all options of sampling."""

    chosen: float  #: of the token that was chosen
    best: list[tuple[int, float]]  #: the most probable tokens with theirs, the best first


class Sampler:
    """Chooses the tokens of one answer. The options act in the order in which they are listed here, each on what the
    one before it left.

    >>> sampler = Sampler(4, temperature=0.7, top_p=0.9, seed=1)
    >>> sampler.sample(np.array([0, 9, 0, 0], np.float32))
    1

    `vocabulary`: the number of logits.
    `logit_bias`: numbers that are added to the logits of tokens; minus infinity forbids a token.
    `repetition_penalty`: logits of tokens that the prompt or the answer holds are divided by it if they are positive,
    and multiplied by it otherwise.
    `frequency_penalty`: is subtracted from a token's logit for each time that the answer holds the token.
    `presence_penalty`: is subtracted once from the logit of each token that the answer holds.
    `temperature`: logits are divided by it. 0: always the most probable token; the options below then mean nothing.
    `top_k`: how many of the most probable tokens are kept; 0: all.
    `top_p`: keeps the most probable tokens, as few as have at least this probability together.
    `min_p`: drops tokens with less than this share of the most probable token's probability.
    `typical_p`: keeps the tokens whose information is nearest to its mean, as few as have at least this probability
    together.
    `seed`: the same seed gives the same choices from the same logits. The random number of a choice depends on the seed
    and on the number of tokens in the answer, on nothing else.
    """

    def __init__(
        self,
        vocabulary: int,
        *,
        logit_bias: Mapping[int, float] | None = None,
        repetition_penalty: float = 1,
        frequency_penalty: float = 0,
        presence_penalty: float = 0,
        temperature: float = 0,
        top_k: int = 0,
        top_p: float = 1,
        min_p: float = 0,
        typical_p: float = 1,
        seed: int = 0,
    ) -> None:
        self.vocabulary = integer("vocabulary", vocabulary, 1)
        bias = {} if logit_bias is None else dict(logit_bias)
        self._core = _core.Sampler(
            self.vocabulary,
            logit_bias={
                integer("a token of logit_bias", token, -MOST_EXTENT, MOST_EXTENT): number("a bias", value)
                for token, value in bias.items()
            },
            repetition_penalty=number("repetition_penalty", repetition_penalty),
            frequency_penalty=number("frequency_penalty", frequency_penalty),
            presence_penalty=number("presence_penalty", presence_penalty),
            temperature=number("temperature", temperature),
            top_k=integer("top_k", top_k, 0, MOST_EXTENT),
            top_p=number("top_p", top_p),
            min_p=number("min_p", min_p),
            typical_p=number("typical_p", typical_p),
            seed=integer("seed", seed, 0, MOST_SEED),
        )

    def add_prompt(self, tokens: Iterable[int]) -> None:
        """Adds tokens of the prompt, which count for the repetition penalty."""
        self._core.add_prompt(tokens_of("tokens", tokens))

    def add(self, token: int) -> None:
        """Adds a token to the answer."""
        self._core.add(integer("token", token, -MOST_EXTENT, MOST_EXTENT))

    def sample(self, logits: np.ndarray) -> int:
        """Returns the next token of the answer. It is not added: a program may take another one.

        Raises `KuiperError` if a logit is not a number or infinite, or if all tokens are forbidden.
        """
        return self._core.sample(_row(logits))

    def distribution(self, logits: np.ndarray) -> dict[int, float]:
        """Returns the probabilities with which `sample` chooses tokens, of those that can be chosen."""
        return dict(self._core.distribution(_row(logits)))


def log_probabilities(logits: np.ndarray, token: int, count: int) -> LogProbabilities:
    """Returns the log-probability of a token, and those of the `count` most probable tokens."""
    row = _row(logits)
    given = integer("token", token, -MOST_EXTENT, MOST_EXTENT)
    return LogProbabilities(*_core.log_probabilities(row, given, integer("count", count, 0)))


def _row(logits: np.ndarray) -> np.ndarray:
    """Returns the logits of one token as float32."""
    array = np.ascontiguousarray(logits, np.float32)
    if array.size != array.shape[-1]:
        raise ValueError(f"logits have the shape {array.shape}, expected those of one token")
    return array.reshape(-1)
