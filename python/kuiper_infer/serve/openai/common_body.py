# SPDX-License-Identifier: MIT
"""What the bodies of requests for texts have in common."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from kuiper_infer import GenerateOptions

from ..errors import ServeError, Status, shown

Value = TypeVar("Value")
Choices = Annotated[int, Field(ge=1, le=16)]
_MOST_TOKEN = 2**31 - 1
MOST_LENGTH = 2**63 - 1


class StreamOptions(BaseModel):
    """Options of a stream."""

    model_config = ConfigDict(extra="forbid", strict=True)

    include_usage: bool = False
    include_obfuscation: bool = False  # has no effect: texts are not padded


def texts_or_tokens(given: Any) -> list[str | list[int]]:
    """The entries of a text, texts, tokens or lists of tokens: each a text or tokens."""
    one = isinstance(given, str) or (given and isinstance(given[0], int))
    return [given] if one else list(given)


class Common(BaseModel):
    """What both kinds of requests hold. The names behind `user` are not OpenAI's; other servers have them as well."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    model: str
    frequency_penalty: float | None = Field(None, ge=-2, le=2)
    logit_bias: dict[str, float] | None = None
    max_tokens: int | None = Field(None, ge=1, le=MOST_LENGTH)
    n: Choices | None = None
    presence_penalty: float | None = Field(None, ge=-2, le=2)
    seed: int | None = Field(None, ge=-(2**63), le=2**63 - 1)
    stop: str | list[str] | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    temperature: float | None = Field(None, ge=0, le=2)
    top_p: float | None = Field(None, gt=0, le=1)
    user: str | None = None
    top_k: int | None = Field(None, ge=0, le=_MOST_TOKEN)
    min_p: float | None = Field(None, ge=0, le=1)
    typical_p: float | None = Field(None, gt=0, le=1)
    repetition_penalty: float | None = Field(None, gt=0, le=1000)
    ignore_eos: bool | None = None

    @property
    def most_tokens(self) -> int | None:
        """The most tokens of an answer."""
        return self.max_tokens

    @property
    def best_tokens(self) -> int | None:
        """How many log-probabilities are told with each token; None: not even the chosen one's."""
        raise NotImplementedError

    def stops(self) -> list[str]:
        """The texts that end an answer."""
        texts = [self.stop] if isinstance(self.stop, str) else self.stop or []
        if len(texts) > 16 or any(not 0 < len(text) <= 1000 for text in texts):
            raise ServeError(Status.INVALID, "stop has to be at most 16 texts of 1 to 1000 characters")
        return texts

    def options(self, max_tokens: int | None, deadline: float) -> GenerateOptions:
        """The options of an answer. `max_tokens`: the most that the model's configuration allows."""
        most = [each for each in (self.most_tokens, max_tokens) if each is not None]
        return GenerateOptions(
            max_tokens=min(most, default=None),
            stop=self.stops(),
            ignore_endings=bool(self.ignore_eos),
            deadline=deadline,
            seed=None if self.seed is None else self.seed & 2**64 - 1,
            logprobs=self.best_tokens,
            temperature=_or(self.temperature, 1.0),
            top_k=_or(self.top_k, 0),
            top_p=_or(self.top_p, 1.0),
            min_p=_or(self.min_p, 0.0),
            typical_p=_or(self.typical_p, 1.0),
            repetition_penalty=_or(self.repetition_penalty, 1.0),
            frequency_penalty=_or(self.frequency_penalty, 0.0),
            presence_penalty=_or(self.presence_penalty, 0.0),
            logit_bias=self._bias(),
        )

    def _bias(self) -> dict[int, float]:
        bias = {}
        for token, value in (self.logit_bias or {}).items():
            if not (token.isascii() and token.isdigit() and len(token) < 11 and -100 <= value <= 100):
                raise ServeError(Status.INVALID, f"logit_bias has {shown(token)}: {value}, expected token: -100 to 100")
            bias[int(token)] = value if value > -100 else float("-inf")
        return bias


def _or(given: Value | None, default: Value) -> Value:
    return default if given is None else given
