# SPDX-License-Identifier: MIT
"""The form in which a model writes calls of tools. It is learnt from the model's chat template, which writes the calls
of earlier answers into a prompt: the template writes calls that are known, and its text is cut at their parts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from kuiper_infer.text import ChatTemplate, ChatTemplateError, Message, Tokenizer
from kuiper_infer.text._markup import Markup

_CONTENT = "\ue002"  # what the assistant says before its calls
_ID = "\ue003"  # stands in a text of the syntax for the call's id
# Some templates take only ids of nine letters and digits, so all ids have this form.
_ID_PATTERN = "[a-zA-Z0-9]{9}"
_KNOWN = [("first_tool", {"first": 1}, "Aaaaaaaa1"), ("second_tool", {"second": 2}, "Bbbbbbbb2"),
          ("third_tool", {"third": 3}, "Cccccccc3")]  # fmt: skip
_LIKE_TEMPLATES = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}  # Jinja's tojson
_USER: Message = {"role": "user", "content": "a"}


class CallSyntax(NamedTuple):
    """The texts around the names and arguments of calls; `between` is None if there can be only one call."""

    opening: str
    middle: str
    between: str | None
    closing: str

    def written(self, count: int) -> str:
        """The first of the known calls in this syntax."""
        text = self.opening
        for index, (name, arguments, id_) in enumerate(_KNOWN[:count]):
            behind = self.closing if index == count - 1 else self.between or ""
            text += name + self.middle.replace(_ID, id_) + json.dumps(arguments) + behind.replace(_ID, id_)
        return text


# For models whose templates write no calls; they have to call if a request says so.
PLAIN = CallSyntax('{"name": "', '", "arguments": ', None, "}")


class Trigger(NamedTuple):
    """What begins the calls of an answer."""

    token: int | None  # a special token; None: a text
    text: str
    only_first: bool  # text before it makes it a text like others


def learn(chat: ChatTemplate, tokenizer: Tokenizer) -> CallSyntax | None:
    """The syntax of a template's calls; None if it writes none, or none that can be told from an answer's text."""
    endings = [tokenizer.name(token) for token in [*chat.endings(), *tokenizer.endings]]
    for most in (2, 1):
        answer = _answer(chat, endings, most)
        syntax = None if answer is None else _cut(answer, most)
        counts = (1, 2, 3) if most == 2 else (1,)
        if syntax and syntax.opening and all(_answer(chat, endings, each) == syntax.written(each) for each in counts):
            return syntax
    return None


def trigger(syntax: CallSyntax, markup: Markup) -> Trigger:
    """What begins calls: a special token, a tag, or the whole opening, for which an answer with text is no call."""
    first = markup.pieces(syntax.opening)[0]
    if isinstance(first, int):
        return Trigger(first, "", False)
    word = first.split()[0]
    return Trigger(None, first, True) if word.startswith("{") else Trigger(None, word, False)


def lark(
    syntax: CallSyntax, markup: Markup, schemas: Mapping[str, dict[str, Any]], *, free: bool, several: bool
) -> str:
    """A grammar of llguidance for answers with calls, which captures their names, arguments and ids.

    `free`: the answer may be a text, and calls may stand behind a text. `several`: there may be several calls.
    """

    def terms(text: str) -> str:
        found = []
        for piece in markup.pieces(text):
            if isinstance(piece, int):
                found.append(f"<[{piece}]>")
            else:
                texts = (json.dumps(each, ensure_ascii=False) if each else "" for each in piece.split(_ID))
                found.append(" id ".join(texts))
        return " ".join(found)

    told, opening = trigger(syntax, markup), syntax.opening
    lines = ["%llguidance {}", "TEXT: /(.|\\n)*/", f'id[capture="id"]: /{_ID_PATTERN}/']
    if free and told.token is None:
        opening = opening[len(told.text) :]
        lines.append(f"head[lazy]: {'' if told.only_first else 'TEXT '}{terms(told.text)}")
    begins = "" if not free else "TEXT " if told.token is not None else "head "
    more = f"({terms(syntax.between)} call)*" if several and syntax.between is not None else ""
    lines.append(f"start: {'TEXT | ' if free else ''}calls")
    lines.append(f"calls: {begins}{terms(opening)} call {more} {terms(syntax.closing)}")
    lines.append("call: " + " | ".join(f"name{n} {terms(syntax.middle)} arguments{n}" for n in range(len(schemas))))
    for number, (name, schema) in enumerate(schemas.items()):
        lines.append(f'name{number}[capture="name"]: {json.dumps(name)}')
        lines.append(
            f'arguments{number}[capture="arguments"]: %json {json.dumps({**schema, "x-guidance": _LIKE_TEMPLATES})}'
        )
    return "\n".join(lines) + "\n"


def _render(chat: ChatTemplate, messages: list[Message], prompt: bool = False) -> str | None:
    tools = [
        {"type": "function", "function": {"name": name, "description": "", "parameters": {"type": "object"}}}
        for name, _, _ in _KNOWN
    ]
    try:
        return "".join(text for text, _ in chat.render(messages, tools=tools, add_generation_prompt=prompt))
    except (ChatTemplateError, TypeError, ValueError):
        return None


def _answer(chat: ChatTemplate, endings: list[str], count: int) -> str | None:
    """What the template writes as an answer with that many known calls, without the content before them."""
    calls = [
        {"type": "function", "id": id_, "function": {"name": name, "arguments": arguments}}
        for name, arguments, id_ in _KNOWN[:count]
    ]
    spoken: Message = {"role": "assistant", "content": _CONTENT}
    prompt = _render(chat, [_USER], prompt=True)
    plain, calling = _render(chat, [_USER, spoken]), _render(chat, [_USER, {**spoken, "tool_calls": calls}])
    if prompt is None or plain is None or calling is None:
        return None
    before, content, answer = calling.rpartition(_CONTENT)
    if not content:
        answer = calling.removeprefix(prompt)
    elif before != plain.rpartition(_CONTENT)[0]:  # what stands before the calls is no answer
        return None
    place = max(answer.rfind(json.dumps(_KNOWN[count - 1][1])), 0)
    ends = [found for ending in endings if (found := answer.find(ending, place)) >= 0]
    return answer[: min(ends, default=len(answer))].strip()


def _cut(answer: str, count: int) -> CallSyntax | None:
    """Cuts an answer at the names and arguments of its calls."""
    texts: list[str] = []
    for name, arguments, _ in _KNOWN[:count]:
        for part in (name, json.dumps(arguments)):
            before, found, answer = answer.partition(part)
            if not found:
                return None
            texts.append(before)
    for _, _, id_ in _KNOWN[:count]:
        texts, answer = [text.replace(id_, _ID) for text in texts], answer.replace(id_, _ID)
    return CallSyntax(texts[0], texts[1], texts[2] if count > 1 else None, answer)
