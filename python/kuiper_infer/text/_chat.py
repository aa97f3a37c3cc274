# SPDX-License-Identifier: MIT
"""Templates of conversations: programs in Jinja's language that models bring along."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from typing import Any

from .._extras import require
from ._markup import Markup
from ._tokenizer import Tokenizer

# A message of a conversation: "role" ("system", "user", "assistant" or "tool"), "content", and what a template reads
# besides, such as "tool_calls".
Message = Mapping[str, Any]

_MOST_CHARACTERS = 1 << 24  # of a prompt


class ChatTemplateError(ValueError):
    """A template that can't be used, or a conversation that it refuses."""


class ChatTemplate:
    """A template of conversations, run by Jinja in its sandbox, as transformers runs it.

    `text`: the template; None: the tokenizer's. Raises `ChatTemplateError` if there is none or if it is no template.
    """

    def __init__(self, tokenizer: Tokenizer, text: str | None = None) -> None:
        self.text = tokenizer.chat_template if text is None else text
        if not self.text:
            raise ChatTemplateError("the tokenizer's files hold no chat template: give one, or generate from a text")
        require("chat", "jinja2")
        import jinja2

        self._markup = Markup(tokenizer)
        try:
            self._template = _environment().from_string(self.text)
        except (jinja2.TemplateError, RecursionError) as error:
            raise ChatTemplateError(f"the chat template is not valid: {_line(error)}") from None

    def render(
        self, messages: Sequence[Message], *, tools: Sequence[Mapping[str, Any]] | None = None, **variables: Any
    ) -> list[tuple[str, bool]]:
        """Returns the prompt for the assistant's next message as parts for `Tokenizer.encode_parts`.

        Names of special tokens in messages and tools are text, not markup. `variables` are further variables of the
        template. Raises `ChatTemplateError` for conversations that the template refuses.
        """
        hidden = self._markup.hide({"messages": _checked(messages), "tools": None if tools is None else list(tools)})
        given = {"add_generation_prompt": True, **variables, **hidden.values}
        return hidden.parts(self._run(given))

    def endings(self) -> list[int]:
        """Returns the special token that the template writes behind a message of the assistant, if there is one."""
        messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "\ue000"}]
        try:
            text = self._run({"messages": messages, "tools": None, "add_generation_prompt": False})
        except ChatTemplateError:  # it wants other conversations
            return []
        return self._markup.first(text.rpartition("\ue000")[2])[:1]

    def _run(self, variables: dict[str, Any]) -> str:
        import jinja2

        pieces: list[str] = []
        length = 0
        try:
            for piece in self._template.generate(**self._markup.variables, **variables):
                pieces.append(piece)
                length += len(piece)
                if length > _MOST_CHARACTERS:
                    raise ChatTemplateError(f"the chat template writes more than {_MOST_CHARACTERS} characters")
        except ChatTemplateError:
            raise
        except jinja2.TemplateError as error:
            raise ChatTemplateError(f"the chat template: {_line(error)}") from None
        except Exception as error:  # a template may do anything with what it gets
            raise ChatTemplateError(f"the chat template fails: {type(error).__name__}: {_line(error)}") from None
        return "".join(pieces)


def _environment() -> Any:
    """Jinja as transformers sets it up, with nothing of the machine within reach."""
    from jinja2.ext import loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
    environment.filters["tojson"] = _tojson
    environment.globals["raise_exception"] = _raise
    environment.globals["strftime_now"] = lambda form: datetime.datetime.now().strftime(form)
    return environment


def _tojson(value: Any, ensure_ascii: bool = False, indent: int | None = None, separators: Any = None,
            sort_keys: bool = False) -> str:  # fmt: skip
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _raise(message: object) -> None:
    raise ChatTemplateError(f"the chat template refuses the conversation: {message}")


def _checked(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Returns the messages as dictionaries; a content of several texts becomes one text."""
    if isinstance(messages, (str, bytes)) or not isinstance(messages, Sequence):
        raise TypeError(f"messages is {type(messages).__name__}, expected a list of messages")
    if not messages:
        raise ChatTemplateError("there are no messages, expected at least one")
    checked = []
    for index, message in enumerate(messages):
        if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
            raise TypeError(f"message {index} is {type(message).__name__}, expected a dictionary with a 'role'")
        checked.append({**message, "content": _content(index, message.get("content"))})
    return checked


def _content(index: int, content: Any) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence) and all(
        isinstance(part, Mapping) and part.get("type") == "text" and isinstance(part.get("text"), str)
        for part in content
    ):
        return "".join(part["text"] for part in content)
    raise ChatTemplateError(f"message {index} has a content that is neither a text nor a list of texts")


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:400]
