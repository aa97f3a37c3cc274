# SPDX-License-Identifier: MIT
"""Malformed requests to the paths of OpenAI's protocol, by a seeded generator, and what a right answer to them is."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from .http_malformed import Request, exchange, head, status_of

Statuses = tuple[int | None, ...]  # None: the connection ended without an answer
Case = tuple[str, Statuses, Request]
Made = tuple[Statuses, Request]

TOOL = {"type": "function", "function": {"name": "put", "parameters": {"type": "object"}}}
CHAT: dict[str, Any] = {
    "messages": [{"role": "system", "content": "a"}, {"role": "user", "content": [{"type": "text", "text": "b"}]}],
    "max_tokens": 2, "temperature": 1, "top_p": 0.5, "n": 1, "stop": ["a"], "seed": 1, "logit_bias": {"5": 1},
    "logprobs": True, "top_logprobs": 1, "tools": [TOOL], "tool_choice": "none", "stream": True,
    "stream_options": {"include_usage": True}, "response_format": {"type": "text"}, "user": "u",
}  # fmt: skip
COMPLETION: dict[str, Any] = {
    "prompt": ["a", "b"],
    "max_tokens": 2,
    "echo": True,
    "stop": "a",
    "min_p": 0.1,
    "top_k": 3,
}
EMBEDDING: dict[str, Any] = {"input": ["a", "b"], "encoding_format": "float"}
BODIES = {"chat/completions": CHAT, "completions": COMPLETION, "embeddings": EMBEDDING}

ODD: list[Any] = [
    None, True, False, 0, -1, 1, 1.5, 2**31, 2**63, -(2**70), 1e308, "", "a", "\0", "\ud800", "\u2028", "<|im_end|>",
    [], {}, [[]], [None], [1, "a"], [{}], {"": 1}, {"role": 1}, {"type": "x"}, "a" * 3000, [1] * 500, ["a"] * 40,
]  # fmt: skip


def malformed_openai_requests(random_: random.Random, count: int, model: str) -> Iterator[Case]:
    """Makes `count` requests to a model that generates text."""
    for number in range(count):
        kind = KINDS[number % len(KINDS)]  # each kind of fault in turn, each time in another way
        yield kind.__name__, *kind(random_, model)


def fault(host: str, port: int, expected: Statuses, request: Request) -> str | None:
    """Sends a request and returns what is wrong with its answer: its status, or an error that is no clear line."""
    answer = exchange(host, port, request, ends=None in expected)
    status = status_of(answer)
    if status not in expected:
        return f"the status is {status}, expected {expected}: {answer[-300:]!r}"
    if status is None or status == 200:
        return None
    body = answer.partition(b"\r\n\r\n")[2]
    try:
        said = json.loads(body)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return f"the error of status {status} is {body[:300]!r}"
    clear = isinstance(said, str) and 5 < len(said) < 1000 and said.isprintable()
    return None if clear else f"the error of status {status} says {said!r}"


def _valid(random_: random.Random, model: str) -> tuple[str, dict[str, Any]]:
    path = random_.choice(list(BODIES))
    return path, {"model": model, **copy.deepcopy(BODIES[path])}


def _request(path: str, table: Any) -> Request:
    body = json.dumps(table).encode()
    return head(f"/openai/v1/{path}", len(body)), body


def body_cut(random_: random.Random, model: str) -> Made:
    path, table = _valid(random_, model)
    whole = json.dumps(table).encode()
    body = whole[: random_.randrange(len(whole))]
    return (400,), (head(f"/openai/v1/{path}", len(body)), body)


def connection_cut(random_: random.Random, model: str) -> Made:
    path, table = _valid(random_, model)
    whole = json.dumps(table).encode()
    return (400, None), (head(f"/openai/v1/{path}", len(whole)), whole[: random_.randrange(len(whole))])


def noise(random_: random.Random, model: str) -> Made:
    body = random_.randbytes(random_.randrange(1, 300))
    return (400,), (head(f"/openai/v1/{random_.choice(list(BODIES))}", len(body)), body)


def wrong_top(random_: random.Random, model: str) -> Made:
    return (400,), _request(random_.choice(list(BODIES)), random_.choice([[], [CHAT], None, 5, "text", True, {}]))


def deep(random_: random.Random, model: str) -> Made:
    path, table = _valid(random_, model)
    name = random_.choice(["messages", "prompt", "input", "tools", "response_format", "chat_template_kwargs"])
    depth = random_.choice([100, 1000, 100_000])
    opening, closing = random_.choice([(b"[", b"]"), (b'{"a":', b"}")])
    body = (
        json.dumps(table).encode()[:-1] + b', "%s": ' % name.encode() + opening * depth + b"1" + closing * depth + b"}"
    )
    # Values in a free member may be deep: the template may not read them.
    return (200, 400), (head(f"/openai/v1/{path}", len(body)), body)


def unknown_member(random_: random.Random, model: str) -> Made:
    path, table = _valid(random_, model)
    table[random_.choice(["surprise", "", "Model", "max tokens", "functions", "a" * 5000, "\n", "\ud800"])] = 1
    return (400,), _request(path, table)


def missing_member(random_: random.Random, model: str) -> Made:
    path, table = _valid(random_, model)
    del table[random_.choice(["model", next(iter(BODIES[path]))])]
    return (400,), _request(path, table)


def replaced(random_: random.Random, model: str) -> Made:
    """Any value of a valid request becomes an odd one, which may happen to be right in its place."""
    path, table = _valid(random_, model)
    places: list[tuple[Any, Any]] = []

    def walk(value: Any) -> None:
        keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
        for key in keys:
            places.append((value, key))
            walk(value[key])

    walk(table)
    owner, key = random_.choice(places)
    owner[key] = random_.choice(ODD)
    return (200, 400, 404), _request(path, table)


def wrong_number(random_: random.Random, model: str) -> Made:
    table = {"model": model, **copy.deepcopy(CHAT)}
    wrong: dict[str, list[Any]] = {
        "temperature": [-0.1, 2.1, "1", True], "top_p": [0, 1.1, -1, "x"], "n": [0, 17, -1, 1.5, "2"],
        "max_tokens": [0, -1, 1.5, "9"], "max_completion_tokens": [0, -5], "seed": [2**64, 1.5, "s"],
        "frequency_penalty": [-3, 3], "presence_penalty": [5, "a"], "top_logprobs": [-1, 21, 1.5], "top_k": [-1, 2**40],
        "min_p": [-1, 2], "typical_p": [0, 2], "repetition_penalty": [0, -1, 1e9], "logit_bias": [{"a": 1}, {"64": 1},
        {"-1": 1}, {"5": 101}, {"5": "x"}, {"9" * 30: 1}, {"\u0665": 1}, [1]],
    }  # fmt: skip
    name = random_.choice(list(wrong))
    table[name] = random_.choice(wrong[name])
    return (400,), _request("chat/completions", table)


def wrong_messages(random_: random.Random, model: str) -> Made:
    call = {"id": "1", "type": "function", "function": {"name": "put", "arguments": "{"}}
    wrong: list[Any] = [
        [], None, "a", {}, [1], [None], [{}], [{"role": None}], [{"role": "user", "content": 5}],
        [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}],
        [{"role": "user", "content": [1]}], [{"role": "user", "content": "a" * 5000}],
        [{"role": "assistant", "tool_calls": [call]}], [{"role": "assistant", "tool_calls": [{}]}],
    ]  # fmt: skip
    return (400,), _request("chat/completions", {"model": model, **CHAT, "messages": random_.choice(wrong)})


def wrong_tools(random_: random.Random, model: str) -> Made:
    function = TOOL["function"]
    wrong: list[dict[str, Any]] = [
        {"tools": [1]}, {"tools": [{}]}, {"tools": {}}, {"tools": [{"type": "x", "function": function}]},
        {"tools": [{"type": "function", "function": {"name": ""}}]},
        {"tools": [{"type": "function", "function": {"name": "a\nb"}}]},
        {"tools": [{"type": "function", "function": {"name": "a", "parameters": 5}}]},
        {"tools": [{"type": "function", "function": {"name": "a", "parameters": {"type": "x"}}}]},
        {"tools": [{"type": "function", "function": {"name": "a", "parameters": {"$ref": "#/x"}}}]},
        {"tools": []}, {"tool_choice": {}}, {"tool_choice": {"function": {"name": "other"}}},
        {"tool_choice": {"function": 5}}, {"tool_choice": {"function": {"name": ["put"]}}},
        {"tool_choice": "any"}, {"tool_choice": 1},
    ]  # fmt: skip
    return (400,), _request(
        "chat/completions", {"model": model, **CHAT, "tool_choice": "required", **random_.choice(wrong)}
    )


def wrong_form(random_: random.Random, model: str) -> Made:
    schemas: list[Any] = [
        {"type": "x"}, {"type": "\0"}, {"type": 5},
        {"$ref": "#/a"}, {"$ref": "http://x/y"}, {"pattern": "(", "type": "string"},
        {"minimum": 2, "maximum": 1, "type": "integer"}, {"enum": []}, [], 5, None, "a", {"a": "x" * 70_000},
        {"type": "string", "minLength": 5, "maxLength": 2}, {"allOf": [{"type": "string"}, {"type": "integer"}]},
    ]  # fmt: skip
    forms: list[Any] = [
        {"type": "json_schema", "json_schema": {"name": "a", "schema": random_.choice(schemas)}},
        *({"type": "json_schema"}, {"type": "xml"}, {}, "json", {"type": "text", "more": 1}),
    ]
    chosen = forms[0] if random_.random() < 0.7 else random_.choice(forms[1:])
    return (400,), _request("chat/completions", {"model": model, **CHAT, "tools": None, "response_format": chosen})


def wrong_prompt(random_: random.Random, model: str) -> Made:
    wrong: list[Any] = [
        None, "", [], {}, 5, [""], [[]], ["a", 1], [1, "a"], [64], [-1], [2**40], [[1], "a"], ["a"] * 17, "a" * 5000,
        [1.5], [True, "a"], [[1], [64]],
    ]  # fmt: skip
    path, name = random_.choice([("completions", "prompt"), ("embeddings", "input")])
    return (400,), _request(path, {"model": model, name: random_.choice(wrong)})


def wrong_model(random_: random.Random, model: str) -> Made:
    path, table = _valid(random_, model)
    table["model"] = random_.choice(
        ["absent", "", "/", f"{model}/9", f"{model}/x", "../x", "a" * 5000, "\0", "\n", "a/b/c"]
    )
    return (400, 404), _request(path, table)


def wrong_path(random_: random.Random, model: str) -> Made:
    path = random_.choice(
        ["chat", "chat/completion", "", "models/x/y", "%2e%2e/x", "a" * 3000, "completions/1", "files"]
    )
    return (404, 405, 307), _request(path, {"model": model, **CHAT})


def too_long(random_: random.Random, model: str) -> Made:
    return (413,), (head(f"/openai/v1/{random_.choice(list(BODIES))}", random_.randrange(1 << 23, 1 << 40)), b"{")


def wrong_encoding(random_: random.Random, model: str) -> Made:
    body = random_.randbytes(50)
    encoded = head("/openai/v1/completions", len(body), Content_Encoding=random_.choice(["gzip", "br", "x"]))
    return (415,), (encoded, body)


KINDS: tuple[Callable[[random.Random, str], Made], ...] = (
    body_cut, connection_cut, noise, wrong_top, deep, unknown_member, missing_member, replaced, wrong_number,
    wrong_messages, wrong_tools, wrong_form, wrong_prompt, replaced, wrong_model, wrong_path, too_long, wrong_encoding,
)  # fmt: skip
