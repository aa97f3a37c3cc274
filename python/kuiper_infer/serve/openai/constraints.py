# SPDX-License-Identifier: MIT
"""Answers that have to be JSON, and calls of tools: the package llguidance says which tokens may come next."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from kuiper_infer.text import Tokenizer

from ..._extras import install_commands
from ..errors import ServeError, Status, shown
from .bodies import ChatBody

_MOST_CHARACTERS = 1 << 16  # of a schema


class Constraint:
    """Forbids tokens that lead to no text of a grammar: a `logits_processor` for one answer."""

    def __init__(self, matcher: Any, prompt_length: int) -> None:
        self._matcher = matcher
        self._seen = prompt_length

    def __call__(self, tokens: Sequence[int], logits: np.ndarray) -> np.ndarray:
        """Returns the logits with minus infinity for what may not come next."""
        for token in tokens[self._seen :]:
            self._matcher.consume_token(token)
        self._seen = len(tokens)
        allowed = np.unpackbits(np.frombuffer(self._matcher.compute_bitmask(), np.uint8), bitorder="little")
        if self._matcher.is_error():
            raise ValueError(f"the grammar of the answer: {self._matcher.get_error()[:300]}")
        length = min(len(allowed), len(logits))
        logits[:length][allowed[:length] == 0] = -np.inf
        logits[length:] = -np.inf
        return logits


class Grammars:
    """Makes constraints for a tokenizer.

    `file`: the contents of its tokenizer.json; None if it comes from another kind of file, for which there are none.
    """

    def __init__(self, tokenizer: Tokenizer, file: str | None, endings: Sequence[int]) -> None:
        self._tokenizer = tokenizer
        self._file = file
        self._endings = list(endings)
        self._tokens: Any = None

    def grammar(self, body: ChatBody) -> str | None:
        """The grammar of the answer that a request asks for; None: any text. Raises ServeError if there is none.

        It takes up to some seconds, so it is no work for an event loop.
        """
        schema = tool_schema(body)
        if schema is None and body.response_format is not None and body.response_format.type != "text":
            schema = _answer_schema(body)
        if schema is None:
            return None
        llguidance = self._library()
        text = json.dumps(schema)
        if len(text) > _MOST_CHARACTERS:
            raise ServeError(Status.INVALID, f"the schema has {len(text)} characters, at most {_MOST_CHARACTERS}")
        try:
            grammar = llguidance.LLMatcher.grammar_from_json_schema(text, overrides={"whitespace_flexible": False})
            wrong = llguidance.LLMatcher.validate_grammar(grammar, self._tokens)
        except ValueError as error:
            wrong = str(error)
        if wrong and not wrong.startswith("WARNING"):
            raise ServeError(Status.INVALID, f"the schema can't be used: {' '.join(wrong.split())[:300]}")
        return str(grammar)

    def constraint(self, grammar: str, prompt_length: int) -> Constraint:
        """A constraint for one answer."""
        matcher = self._library().LLMatcher(self._tokens, grammar, log_level=0)
        if matcher.is_error():
            raise ServeError(Status.INVALID, f"the schema can't be used: {' '.join(matcher.get_error().split())[:300]}")
        return Constraint(matcher, prompt_length)

    def _library(self) -> Any:
        try:
            import llguidance
        except ImportError:
            said = f"answers by a schema need the package llguidance: {install_commands('guided')}"
            raise ServeError(Status.UNIMPLEMENTED, said) from None
        if self._file is None or not self._endings:
            said = "answers by a schema need a tokenizer.json, and a token that ends an answer"
            raise ServeError(Status.UNIMPLEMENTED, said)
        if self._tokens is None:
            self._tokens = llguidance.LLTokenizer(self._file, n_vocab=self._tokenizer.size, eos_token=self._endings)
        return llguidance


def _answer_schema(body: ChatBody) -> dict[str, Any]:
    assert body.response_format is not None
    if body.response_format.type == "json_object":
        return {"type": "object"}
    given = body.response_format.json_schema or {}
    schema = given.get("schema")
    if not isinstance(schema, dict):
        raise ServeError(Status.INVALID, "response_format.json_schema.schema has to be a JSON schema")
    return schema


def functions(body: ChatBody) -> dict[str, dict[str, Any]]:
    """The functions of the request's tools by name."""
    found: dict[str, dict[str, Any]] = {}
    for tool in body.tools or []:
        function = tool.get("function")
        function = function if isinstance(function, dict) else {}
        name = function.get("name")
        if tool.get("type") != "function" or not isinstance(name, str) or not name:
            raise ServeError(Status.INVALID, f"tools has {shown(tool)}, expected a function with a name")
        if not isinstance(function.get("parameters", {}), dict):
            raise ServeError(Status.INVALID, f"the parameters of tool {shown(name)} have to be a JSON schema")
        found[name] = function
    return found


def tool_schema(body: ChatBody) -> dict[str, Any] | None:
    """The schema of a call that the request wants to have in any case; None if it leaves the choice to the model."""
    choice = body.tool_choice
    if choice is None or choice in ("none", "auto"):
        return None
    known = functions(body)
    if isinstance(choice, dict):
        named = choice.get("function", {})
        name = named.get("name") if isinstance(named, dict) else None
        if name not in known:
            raise ServeError(Status.INVALID, f"tool_choice is {shown(choice)}, the tools are {shown(list(known))}")
        known = {name: known[name]}
    if not known:
        raise ServeError(Status.INVALID, "tool_choice wants a call, and there are no tools")
    calls = [_call_schema(name, function) for name, function in known.items()]
    return calls[0] if len(calls) == 1 else {"anyOf": calls}


def _call_schema(name: str, function: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"name": {"const": name}, "arguments": function.get("parameters") or {"type": "object"}},
        "required": ["name", "arguments"],
        "additionalProperties": False,
    }
