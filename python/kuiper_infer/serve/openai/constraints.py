# SPDX-License-Identifier: MIT
"""Answers that have to be JSON, and calls of tools: the package llguidance says which tokens may come next."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kuiper_infer.text import ChatTemplate, Tokenizer
from kuiper_infer.text._markup import Markup

from ..._extras import install_commands
from ..errors import ServeError, Status, one_line
from .bodies import ChatBody, ResponseFormat
from .call_syntax import PLAIN, Trigger, lark, learn, trigger
from .tools import CallReader, callable_functions

_MOST_CHARACTERS = 1 << 16  # of the schemas of a request


class Grammar(NamedTuple):
    """The grammar of an answer for llguidance."""

    text: str
    trigger: Trigger | None  # what begins calls of tools, if there may be some


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
            raise ValueError(f"the grammar of the answer: {one_line(self._matcher.get_error())}")
        length = min(len(allowed), len(logits))
        logits[:length][allowed[:length] == 0] = -np.inf
        logits[length:] = -np.inf
        return logits


class Grammars:
    """Makes constraints for a tokenizer, and finds the calls of tools in answers.

    `file`: the contents of its tokenizer.json; None if it comes from another kind of file, for which there are none.
    `chat`: the template, which shows how the model writes calls.
    """

    def __init__(
        self, tokenizer: Tokenizer, file: str | None, endings: Sequence[int], chat: ChatTemplate | str
    ) -> None:
        self._tokenizer = tokenizer
        self._file = file
        self._endings = list(endings)
        self._tokens: Any = None
        self._markup = Markup(tokenizer)
        self._syntax = None if isinstance(chat, str) else learn(chat, tokenizer)

    def grammar(self, body: ChatBody) -> Grammar | None:
        """The grammar of the answer that a request asks for; None: any text. Raises ServeError if there is none.

        It takes up to some seconds, so it is no work for an event loop.
        """
        schemas, form = callable_functions(body), body.response_format
        answer_schema = None if form is None or form.type == "text" else _answer_schema(form)
        if schemas:
            return self._call_grammar(body, schemas, answer_schema is not None)
        if answer_schema is None:
            return None
        text = _limited(json.dumps(answer_schema))
        library = self._library()
        try:
            grammar = library.LLMatcher.grammar_from_json_schema(text, overrides={"whitespace_flexible": False})
        except ValueError as error:
            raise _unusable(str(error)) from None
        return Grammar(self._valid(str(grammar)), None)

    def constraint(self, grammar: Grammar, prompt_length: int) -> Constraint:
        """A constraint for one answer."""
        return Constraint(self._matcher(grammar), prompt_length)

    def reader(self, grammar: Grammar) -> CallReader | None:
        """Finds the calls of one answer; None if there can't be any."""
        if grammar.trigger is None:
            return None

        def captures(tokens: list[int]) -> list[tuple[str, bytes]] | None:
            matcher = self._matcher(grammar)
            texts = [token for token in tokens if token not in self._endings]
            if matcher.try_consume_tokens(texts) < len(texts) or not matcher.is_accepting():
                return None
            found: list[tuple[str, bytes]] = matcher.get_captures()
            return found

        return CallReader(grammar.trigger, captures)

    def _call_grammar(self, body: ChatBody, schemas: dict[str, dict[str, Any]], formed: bool) -> Grammar:
        free = body.tool_choice in (None, "auto")
        if free and formed:
            said = "response_format and tools can't be combined unless tool_choice is 'none' or wants a call"
            raise ServeError(Status.INVALID, said)
        if free and self._syntax is None:
            said = "the chat template writes calls in no known form: tool_choice has to be 'none', 'required' or a tool"
            raise ServeError(Status.INVALID, said)
        syntax = self._syntax or PLAIN
        several = body.parallel_tool_calls is not False and not isinstance(body.tool_choice, dict)
        text = _limited(lark(syntax, self._markup, schemas, free=free, several=several))
        return Grammar(self._valid(text), trigger(syntax, self._markup))

    def _valid(self, grammar: str) -> str:
        wrong = self._library().LLMatcher.validate_grammar(grammar, self._tokens)
        if wrong and not wrong.startswith("WARNING"):
            raise _unusable(wrong)
        return grammar

    def _matcher(self, grammar: Grammar) -> Any:
        matcher = self._library().LLMatcher(self._tokens, grammar.text, log_level=0)
        if matcher.is_error():
            raise _unusable(matcher.get_error())
        return matcher

    def _library(self) -> Any:
        try:
            import llguidance
        except ImportError:
            said = f"calls of tools and answers by a schema need the package llguidance: {install_commands('guided')}"
            raise ServeError(Status.UNIMPLEMENTED, said) from None
        if self._file is None or not self._endings:
            said = "calls of tools and answers by a schema need a tokenizer.json, and a token that ends an answer"
            raise ServeError(Status.UNIMPLEMENTED, said)
        if self._tokens is None:
            self._tokens = llguidance.LLTokenizer(self._file, n_vocab=self._tokenizer.size, eos_token=self._endings)
        return llguidance


def _answer_schema(form: ResponseFormat) -> dict[str, Any]:
    if form.type == "json_object":
        return {"type": "object"}
    schema = (form.json_schema or {}).get("schema")
    if not isinstance(schema, dict):
        raise ServeError(Status.INVALID, "response_format.json_schema.schema has to be a JSON schema")
    return schema


def _limited(text: str) -> str:
    if len(text) > _MOST_CHARACTERS:
        raise ServeError(Status.INVALID, f"the schemas have {len(text)} characters, at most {_MOST_CHARACTERS}")
    return text


def _unusable(said: str) -> ServeError:
    return ServeError(Status.INVALID, f"the schema can't be used: {one_line(said)}")
