# SPDX-License-Identifier: MIT
"""The bodies of requests. What a request may not hold is an error that names it: nothing is passed over in silence."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..errors import ServeError, Status, shown
from .common_body import MOST_LENGTH, Common, texts_or_tokens

Body = TypeVar("Body", bound=BaseModel)


class CompletionBody(Common):
    """A request to continue texts."""

    prompt: str | list[str] | list[int] | list[list[int]]
    echo: bool | None = None
    logprobs: int | None = Field(None, ge=0, le=20)
    best_of: Literal[1] | None = None
    suffix: None = None

    @property
    def best_tokens(self) -> int | None:
        """As many as `logprobs` says."""
        return self.logprobs

    def prompts(self) -> list[str | list[int]]:
        """The prompts, each a text or tokens."""
        return texts_or_tokens(self.prompt)


class ResponseFormat(BaseModel):
    """What an answer has to be."""

    model_config = ConfigDict(extra="forbid", strict=True)

    type: Literal["text", "json_object", "json_schema"]
    json_schema: dict[str, Any] | None = None


class ChatBody(Common):
    """A request to answer a conversation."""

    messages: list[dict[str, Any]] = Field(min_length=1)
    max_completion_tokens: int | None = Field(None, ge=1, le=MOST_LENGTH)
    logprobs: bool | None = None
    top_logprobs: int | None = Field(None, ge=0, le=20)
    response_format: ResponseFormat | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: Literal["none", "auto", "required"] | dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    chat_template_kwargs: dict[str, Any] | None = None
    store: Literal[False] | None = None
    metadata: dict[str, str] | None = None

    @property
    def most_tokens(self) -> int | None:
        """The most tokens of an answer, by its newer name and its older one."""
        return self.max_tokens if self.max_completion_tokens is None else self.max_completion_tokens

    @property
    def best_tokens(self) -> int | None:
        """As many as `top_logprobs` says, if `logprobs` is set."""
        return (self.top_logprobs or 0) if self.logprobs else None


def read_body(kind: type[Body], text: bytes) -> Body:
    """Reads a body of that kind. Raises a ServeError that names the first member that is wrong."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"][:4])
        said = f"{shown(place)}: {first['msg']}" if place else first["msg"]
        raise ServeError(Status.INVALID, said[:400]) from None
