# SPDX-License-Identifier: MIT
"""Bodies of requests to OpenAI's paths from a grammar, mutated, and what each answer to them has to be.

Request `number` of a seed is the same whatever came before it, so a finding is repeated by its two numbers.
"""

from __future__ import annotations

import http.client
import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple

SECONDS = 60.0  # an answer that takes longer is a hang
GENERATING, ENCODING = "small", "tokens"  # the models that the requests ask

_WORDS = [
    "hello",
    "a",
    "",
    "\0",
    "\n",
    "\u2028",
    "\u00e9",
    "\U0001f600",
    "<|im_end|>",
    "<tool_call>",
    "{{ x }}",
    "{% raw",
]
_NUMBERS = [0, 1, -1, 2, 0.5, 1.5, 63, 64, 2**31, 2**53 + 1, 2**63, -(2**63), 2**64, 10**400, 1e308, -1e-320]
_TYPES = ["string", "integer", "number", "boolean", "null", "array", "object", "any", 5]
_FORMATS = ["date-time", "uuid", "email", "ipv4", "x"]
_PATTERNS = ["a+", "^[a-z]{2,5}$", "(", "(a|b)*c", "\\d{1,999999}", "(?=a)b", "[", "a{2,1}", "\\p{L}+", "(a*)*b"]
_PIECES = [
    b"{", b"}", b"[", b"]", b'"', b",", b":", b"NaN", b"-Infinity", b"1e999", b"-", b"\\u", b'"\\ud800"', b"\0",
    b"\xff", b"\xef\xbb\xbf", b"//", b"null", b"tru", b"[" * 300, b'{"a":' * 300, b"9" * 5000,
    b'"' + b"x" * 70_000 + b'"',
]  # fmt: skip


class Request(NamedTuple):
    """A request: the path below /openai/v1/ and the body."""

    path: str
    body: bytes


def request(seed: int, number: int) -> Request:
    """The request of that number."""
    draw = random.Random(f"{seed}/{number}")
    path, make = draw.choice(_ENDPOINTS)
    table = make(draw)
    mutations = draw.choice([0, 0, 0, 1, 1, 2, 4])
    for _ in range(mutations):
        table = _changed(draw, table)
    body = json.dumps(table, ensure_ascii=draw.random() < 0.9).encode("utf-8", "surrogatepass")
    if draw.random() < 0.15:
        for _ in range(draw.choice([1, 1, 3])):
            body = _damaged(draw, body)
    return Request(path, body)


def ask(address: str, sent: Request) -> tuple[int, str | None]:
    """Sends a request. Returns the status of the answer, and what is wrong with it; None if nothing is."""
    connection = http.client.HTTPConnection(address, timeout=SECONDS)
    try:
        connection.request("POST", f"/openai/v1/{sent.path}", sent.body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        status, kind, body = answer.status, answer.headers.get_content_type(), answer.read()
    except (OSError, http.client.HTTPException) as error:
        return 0, f"no answer: {error!r}"
    finally:
        connection.close()
    return status, wrong_answer(status, kind, body)


def good(address: str) -> str | None:
    """Sends a right request of each kind, and returns what is wrong with an answer."""
    sound: dict[str, dict[str, Any]] = {
        "chat/completions": {"model": GENERATING, "messages": [{"role": "user", "content": "hello"}], "max_tokens": 2},
        "completions": {"model": GENERATING, "prompt": [5, 6, 7], "max_tokens": 2},
        "embeddings": {"model": ENCODING, "input": "hello"},
    }
    for path, table in sound.items():
        status, wrong = ask(address, Request(path, json.dumps(table).encode()))
        if status != 200 or wrong:
            return f"a good request to {path} got {status}: {wrong}"
    return None


def wrong_answer(status: int, kind: str, body: bytes) -> str | None:
    """What is wrong with an answer of that status and media type; None if nothing is."""
    if not (200 <= status < 300 or 400 <= status < 500):
        return f"the status is {status}: {body[:300]!r}"
    try:
        if kind == "text/event-stream":
            return _wrong_events(body.decode())
        told = json.loads(body)
    except ValueError:
        return f"no JSON comes with status {status}, but {body[:300]!r}"
    if status < 300:
        return None if "choices" in told or "data" in told else f"the answer is {body[:300]!r}"
    return _wrong_error(told)


def _wrong_events(text: str) -> str | None:
    events = text.split("\n\n")
    if events[-1] or not all(event.startswith("data: ") for event in events[:-1]):
        return f"the stream ends with {text[-300:]!r}"
    told = [json.loads(event[6:]) for event in events[:-1] if event != "data: [DONE]"]
    failed = [each for each in told if "error" in each]
    if not failed:
        return None if events[-2] == "data: [DONE]" else f"the stream ends with {text[-300:]!r}"
    if failed[0]["error"]["type"] == "server_error":
        return f"the stream has the error {failed[0]!r}"
    return _wrong_error(failed[0])


def _wrong_error(told: Any) -> str | None:
    said = told["error"]["message"] if isinstance(told, dict) and isinstance(told.get("error"), dict) else None
    clear = isinstance(said, str) and 5 < len(said) < 1000 and said.isprintable()
    return None if clear else f"the error is {told!r:.500}"


# ---- The grammar.


def _text(draw: random.Random) -> str:
    half = "\ud800" if draw.random() < 0.005 else ""  # half of a surrogate pair, which is no character
    return " ".join(draw.choice(_WORDS) for _ in range(draw.choice([0, 1, 1, 1, 3, 40]))) + half


def _tokens(draw: random.Random) -> list[Any]:
    return [draw.randrange(64) for _ in range(draw.choice([1, 1, 3, 20, 300]))]


def _value(draw: random.Random, depth: int = 3) -> Any:
    kind = draw.randrange(8 if depth else 5)
    if kind < 5:
        return (None, draw.random() < 0.5, draw.choice(_NUMBERS), _text(draw), draw.randrange(100))[kind]
    if kind == 5:
        return {draw.choice(_WORDS): _value(draw, depth - 1) for _ in range(draw.randrange(4))}
    return [_value(draw, depth - 1) for _ in range(draw.randrange(4))]


def _schema(draw: random.Random, depth: int = 3) -> Any:
    schema: dict[str, Any] = {}
    if draw.random() < 0.85:
        schema["type"] = draw.choice(_TYPES[:7]) if draw.random() < 0.9 else draw.choice([*_TYPES, ["string", "null"]])
    inner = (lambda: _schema(draw, depth - 1)) if depth else (lambda: {"type": "string"})
    parts: dict[str, Callable[[], Any]] = {
        "properties": lambda: {draw.choice(["a", "b", "", "\u00e9", '"']): inner() for _ in range(draw.randrange(4))},
        "required": lambda: draw.sample(["a", "b", "c"], draw.randrange(3)),
        "additionalProperties": lambda: draw.choice([True, False, inner()]),
        "items": inner,
        "prefixItems": lambda: [inner()],
        "enum": lambda: [_value(draw, 1) for _ in range(draw.randrange(4))],
        "const": lambda: _value(draw, 1),
        "anyOf": lambda: [inner() for _ in range(draw.randrange(3))],
        "oneOf": lambda: [inner() for _ in range(draw.randrange(3))],
        "allOf": lambda: [inner() for _ in range(draw.randrange(3))],
        "$ref": lambda: draw.choice(["#", "#/$defs/a", "#/nowhere", "http://127.0.0.1:9/x"]),
        "$defs": lambda: {"a": inner()},
        "pattern": lambda: draw.choice(_PATTERNS),
        "format": lambda: draw.choice(_FORMATS),
        "minLength": lambda: draw.choice(_NUMBERS),
        "maxLength": lambda: draw.choice([0, 3, 10**6, 2**40]),
        "minItems": lambda: draw.choice([0, 2, 10**6]),
        "maxItems": lambda: draw.choice([0, 3, 10**6]),
        "minimum": lambda: draw.choice(_NUMBERS),
        "maximum": lambda: draw.choice(_NUMBERS),
        "multipleOf": lambda: draw.choice([0, 1, 0.1, 3]),
    }
    for name in draw.sample(list(parts), draw.choice([0, 1, 1, 2, 3])):
        schema[name] = parts[name]()
    return schema


def _tool(draw: random.Random) -> dict[str, Any]:
    function: dict[str, Any] = {"name": draw.choice(["put", "get_it", "a.b", "x" * 64])}
    if draw.random() < 0.8:
        function["parameters"] = _schema(draw) if draw.random() < 0.7 else {"type": "object"}
    if draw.random() < 0.3:
        function["description"] = _text(draw)
    return {"type": "function", "function": function}


def _message(draw: random.Random) -> dict[str, Any]:
    role = draw.choice(["system", "user", "user", "assistant", "tool"])
    content: Any = _text(draw)
    if draw.random() < 0.2:
        content = [{"type": "text", "text": _text(draw)} for _ in range(draw.randrange(3))]
    message = {"role": role, "content": content}
    if role == "assistant" and draw.random() < 0.5:
        arguments = json.dumps(_value(draw)) if draw.random() < 0.5 else draw.choice(["{}", "{", "", '{"a": 1}'])
        call = {"id": _text(draw), "type": "function", "function": {"name": "put", "arguments": arguments}}
        message["tool_calls"] = [call] * draw.randrange(3)
    if role == "tool":
        message["tool_call_id"] = _text(draw)
    return message


def _common(draw: random.Random) -> dict[str, Any]:
    parts: dict[str, Callable[[], Any]] = {
        "frequency_penalty": lambda: draw.uniform(-2, 2), "presence_penalty": lambda: draw.uniform(-2, 2),
        "repetition_penalty": lambda: draw.choice([1e-9, 0.5, 1.3, 1000]), "temperature": lambda: draw.uniform(0, 2),
        "top_p": lambda: draw.choice([1e-9, 0.5, 1]), "typical_p": lambda: draw.choice([1e-9, 0.5, 1]),
        "min_p": lambda: draw.choice([0, 0.5, 1]), "top_k": lambda: draw.choice([0, 1, 5, 10**6]),
        "logit_bias": lambda: {str(draw.randrange(70)): draw.uniform(-100, 100) for _ in range(draw.randrange(5))},
        "max_tokens": lambda: draw.choice([1, 3, 8, 1000]), "n": lambda: draw.choice([1, 2, 4]),
        "seed": lambda: draw.randrange(-(2**63), 2**63), "user": lambda: _text(draw),
        "stop": lambda: draw.choice([_text(draw), [_text(draw) for _ in range(draw.randrange(5))]]),
        "stream": lambda: draw.random() < 0.7, "ignore_eos": lambda: draw.random() < 0.5,
        "stream_options": lambda: {"include_usage": draw.random() < 0.5},
    }  # fmt: skip
    return {name: parts[name]() for name in draw.sample(list(parts), draw.choice([0, 1, 3, 6]))}


def _chat(draw: random.Random) -> dict[str, Any]:
    table = {
        "model": GENERATING,
        "messages": [_message(draw) for _ in range(draw.choice([1, 1, 2, 5]))],
        **_common(draw),
    }
    if draw.random() < 0.3:
        table["tools"] = [_tool(draw) for _ in range(draw.choice([1, 1, 3]))]
        named = {"type": "function", "function": {"name": "put"}}
        table["tool_choice"] = draw.choice(["none", "auto", "required", "required", named])
    if draw.random() < 0.3:
        schema = {"name": "a", "schema": _schema(draw), "strict": True}
        table["response_format"] = draw.choice(
            [{"type": "text"}, {"type": "json_object"}, {"type": "json_schema", "json_schema": schema}]
        )
    if draw.random() < 0.2:
        table |= {"logprobs": True, "top_logprobs": draw.randrange(21)}
    if draw.random() < 0.1:
        table["chat_template_kwargs"] = {draw.choice(["messages", "tools", "add_generation_prompt", "x"]): _value(draw)}
    return table


def _completion(draw: random.Random) -> dict[str, Any]:
    prompt = draw.choice([_text, _tokens, lambda d: [_text(d) for _ in range(3)], lambda d: [_tokens(d), _tokens(d)]])
    table = {"model": GENERATING, "prompt": prompt(draw), **_common(draw)}
    if draw.random() < 0.3:
        table |= {"echo": draw.random() < 0.5, "logprobs": draw.randrange(21)}
    return table


def _embedding(draw: random.Random) -> dict[str, Any]:
    given = draw.choice(
        [_text, _tokens, lambda d: [_text(d) for _ in range(20)], lambda d: [_tokens(d) for _ in range(5)]]
    )
    table: dict[str, Any] = {"model": ENCODING, "input": given(draw)}
    if draw.random() < 0.5:
        table["encoding_format"] = draw.choice(["float", "base64"])
    return table


_ENDPOINTS: list[tuple[str, Callable[[random.Random], dict[str, Any]]]] = [
    ("chat/completions", _chat), ("chat/completions", _chat), ("completions", _completion), ("embeddings", _embedding),
]  # fmt: skip


# ---- Mutations.


def _places(value: Any) -> list[tuple[Any, Any]]:
    """All places in a value, as their owner and the key in it."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in ((value, key), *_places(value[key]))]


def _changed(draw: random.Random, table: Any) -> Any:
    """Changes one place of a table."""
    places = _places(table)
    if not places:
        return _value(draw)
    owner, key = draw.choice(places)
    kind = draw.randrange(7)
    if kind < 2:
        owner[key] = _value(draw)
    elif kind == 2:
        del owner[key]
    elif kind == 3:
        other, place = draw.choice(places)
        try:
            owner[key] = json.loads(json.dumps(other[place]))  # a copy, as a table must not hold itself
        except (ValueError, RecursionError):
            owner[key] = None
    elif kind == 4:
        owner[key] = [owner[key]] * draw.choice([1, 2, 50])
    elif kind == 5:
        owner[key] = {draw.choice(_WORDS): owner[key]}
    elif isinstance(owner, dict):
        owner[draw.choice(["stream", "n", "prompt", "input", "messages", "tools", "surprise", "Model"])] = owner.pop(
            key
        )
    return table


def _damaged(draw: random.Random, body: bytes) -> bytes:
    """Changes some bytes."""
    at = draw.randrange(len(body) + 1)
    end = min(len(body), at + draw.choice([1, 1, 5, 50]))
    kind = draw.randrange(4)
    if kind == 0:
        return body[:at] + body[end:]
    if kind == 1:
        return body[:end] + body[at:end] + body[end:]
    if kind == 2:
        return body[:at] + draw.choice(_PIECES) + body[at:]
    return body[:at] + draw.randbytes(end - at) + body[end:]
