# SPDX-License-Identifier: MIT
"""Tools that a request offers, and the calls of them in an answer."""

from __future__ import annotations

import json
import re
import secrets
import string
from collections.abc import Callable, Sequence
from typing import Any

from kuiper_infer import Piece

from ... import _core
from ..errors import ServeError, Status, shown
from .bodies import ChatBody
from .call_syntax import Trigger

_NAME = re.compile("[a-zA-Z0-9_.-]{1,64}")


def functions(body: ChatBody) -> dict[str, dict[str, Any]]:
    """The schemas of the parameters of the request's tools by name."""
    found: dict[str, dict[str, Any]] = {}
    for tool in body.tools or []:
        function = tool.get("function")
        function = function if isinstance(function, dict) else {}
        name = function.get("name")
        if tool.get("type") != "function" or not isinstance(name, str):
            raise ServeError(Status.INVALID, f"tools has {shown(tool)}, expected a function with a name")
        if not _NAME.fullmatch(name):
            said = f"tools has the name {shown(name)}, expected 1 to 64 letters, digits, '_', '-' and '.'"
            raise ServeError(Status.INVALID, said)
        parameters = function.get("parameters")
        if not isinstance(parameters, (dict, type(None))):
            raise ServeError(Status.INVALID, f"the parameters of tool {shown(name)} have to be a JSON schema")
        found[name] = parameters or {"type": "object"}
    return found


def callable_functions(body: ChatBody) -> dict[str, dict[str, Any]]:
    """The functions that the answer may call, with the schemas of their parameters."""
    known, choice = functions(body), body.tool_choice
    if choice == "none":
        return {}
    if isinstance(choice, dict):
        named = choice.get("function", {})
        name = named.get("name") if isinstance(named, dict) else None
        if not isinstance(name, str) or name not in known:
            raise ServeError(Status.INVALID, f"tool_choice is {shown(choice)}, the tools are {shown(list(known))}")
        return {name: known[name]}
    if choice == "required" and not known:
        raise ServeError(Status.INVALID, "tool_choice wants a call, and there are no tools")
    return known


def template_messages(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages as templates want them: the arguments of calls are objects and not JSON. Raises ServeError."""
    return [
        message if not isinstance(calls := message.get("tool_calls"), list)
        else {**message, "tool_calls": [_template_call(call) for call in calls]}
        for message in messages
    ]  # fmt: skip


def _template_call(call: Any) -> Any:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        raise ServeError(Status.INVALID, f"tool_calls has {shown(call)}, expected a call of a function with a name")
    arguments = function.get("arguments") or {}
    try:
        given = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        said = f"the arguments of the call of {shown(function['name'])} are {shown(arguments)}, expected a JSON object"
        raise ServeError(Status.INVALID, said)
    return {**call, "function": {**function, "arguments": given}}


class CallReader:
    """Tells the text of one answer from its calls. The text goes on at once, apart from what may begin a call.

    `captures`: returns what the grammar captures in the tokens of an answer; None if the answer is a text or not
    complete.
    """

    def __init__(self, trigger: Trigger, captures: Callable[[list[int]], list[tuple[str, bytes]] | None]) -> None:
        self._trigger = trigger
        self._captures = captures
        self._tokens: list[int] = []
        self._text = ""
        self._passed = 0  # characters of the text that went on
        self._before = _core.StopFilter([trigger.text] if trigger.token is None else [])
        self._calling = False  # nothing goes on any more

    def push(self, piece: Piece) -> str:
        """Takes the next piece and returns what goes on of the text."""
        if piece.token is not None:
            self._tokens.append(piece.token)
        self._text += piece.text
        if self._trigger.token is not None and piece.token == self._trigger.token:
            self._calling = True
        if self._calling or (self._trigger.only_first and self._may_call()):
            return ""
        if self._trigger.only_first:
            return self._pass(len(self._text))
        text = self._before.push(piece.text)
        self._calling = self._before.stopped()
        return self._pass(self._passed + len(text))

    def finish(self) -> tuple[str, list[dict[str, Any]]]:
        """Returns the rest of the text and the calls. If there are no complete calls, their beginning is text."""
        captures = self._captures(self._tokens)
        return ("", _calls(captures)) if captures else (self._text[self._passed :], [])

    def _may_call(self) -> bool:
        begun = self._text[: len(self._trigger.text)]
        return self._passed == 0 and self._trigger.text.startswith(begun)

    def _pass(self, place: int) -> str:
        text, self._passed = self._text[self._passed : place], place
        return text


def _calls(captures: list[tuple[str, bytes]]) -> list[dict[str, Any]]:
    """The calls of which a grammar has captured name, arguments and perhaps id, in this order of beginnings."""
    calls: list[dict[str, Any]] = []
    for kind, captured in captures:
        text = captured.decode("utf-8", "replace")
        if kind == "name":
            calls.append({"id": _new_id(), "type": "function", "function": {"name": text, "arguments": "{}"}})
        elif kind == "id":
            calls[-1]["id"] = text
        else:
            calls[-1]["function"]["arguments"] = text
    return calls


def _new_id() -> str:
    return "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(9))  # as templates want it
