# SPDX-License-Identifier: MIT
"""Calls of tools by OpenAI's protocol. The templates write calls in the forms of several families of models."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

import tiny_decoder
from kuiper_infer import Piece
from kuiper_infer.serve.openai import call_syntax
from kuiper_infer.serve.openai.bodies import ChatBody
from kuiper_infer.serve.openai.constraints import Grammars
from kuiper_infer.text import ChatTemplate, Tokenizer
from kuiper_infer.text._markup import Markup

from .openai_client import connect, openai
from .running_service import Service, serving

pytest.importorskip("llguidance", reason='needs the package llguidance: pip install ".[guided]"')

USER = [{"role": "user", "content": "hello there"}]
SCHEMA = {
    "type": "object",
    "properties": {"to": {"enum": ["a", "b"]}, "size": {"$ref": "#/$defs/size"}},
    "required": ["to", "size"],
    "additionalProperties": False,
    "$defs": {"size": {"type": "integer", "minimum": 0, "maximum": 99}},
}
TOOLS = [
    {"type": "function", "function": {"name": "put", "parameters": SCHEMA}},
    {"type": "function", "function": {"name": "end"}},
]


def template(calls: str) -> str:
    """A template of conversations whose answers have calls."""
    return (
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{% if m.tool_calls %}" + calls + "{% endif %}"
        "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    )


EACH = "{% for c in m.tool_calls %}"
HERMES = template(
    EACH
    + '{{ "\n" }}<tool_call>\n{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}\n'
    "</tool_call>{% endfor %}"
)
# The start of the list is a special token, as in the models of Mistral.
MISTRAL = template(
    '<|im_start|>[' + EACH + '{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}, '
    '"id": "{{ c.id }}"}{% if not loop.last %}, {% endif %}{% endfor %}]'
)  # fmt: skip
LLAMA = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.tool_calls %}"
    "{% if m.tool_calls | length != 1 %}{{ raise_exception('one call at a time') }}{% endif %}"
    '{"name": "{{ m.tool_calls[0].function.name }}", "parameters": {{ m.tool_calls[0].function.arguments | tojson }}}'
    "{% else %}{{ m.content }}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
# The argument's name is not JSON.
MARKED_UP = template(EACH + "<tool_call>{{ c.function.name }}{% for k, v in c.function.arguments | items %}"
                     "<arg>{{ k }}</arg>{{ v }}{% endfor %}</tool_call>{% endfor %}")  # fmt: skip
OUT_OF_PLACE = template("{{ m.tool_calls | length }} calls")


def tokenizer() -> Tokenizer:
    return Tokenizer.load(tiny_decoder.tokenizer_json().encode())


def test_the_syntax_of_calls_is_learnt() -> None:
    def learnt(text: str) -> tuple[call_syntax.CallSyntax, call_syntax.Trigger] | None:
        syntax = call_syntax.learn(ChatTemplate(tokenizer(), text), tokenizer())
        return syntax and (syntax, call_syntax.trigger(syntax, Markup(tokenizer())))

    hermes = (
        '<tool_call>\n{"name": "',
        '", "arguments": ',
        '}\n</tool_call>\n<tool_call>\n{"name": "',
        "}\n</tool_call>",
    )
    assert learnt(HERMES) == (hermes, (None, "<tool_call>", False))
    mistral = learnt(MISTRAL)
    assert mistral and mistral[0].opening == '<|im_start|>[{"name": "' and mistral[1].token == 1
    assert learnt(LLAMA) == (('{"name": "', '", "parameters": ', None, "}"), (None, '{"name": "', True))
    for text in (MARKED_UP, OUT_OF_PLACE, template(""), tiny_decoder.TEMPLATE):
        assert learnt(text) is None


@pytest.mark.parametrize(
    "form, text, content, called",
    [
        (HERMES, "say <b>1</b>", "say <b>1</b>", []),
        (HERMES, 'so <tool_call>\n{"name": "end", "arguments": {}}\n</tool_call>', "so ", ["end {}"]),
        (
            HERMES,
            '<tool_call>\n{"name": "end", "arguments": {}}\n</tool_call>\n'
            '<tool_call>\n{"name": "put", "arguments": {"to": "a", "size": 7}}\n</tool_call>',
            "",
            ["end {}", 'put {"to": "a", "size": 7}'],
        ),
        (HERMES, '<tool_call>\n{"name": "end", "arg', '<tool_call>\n{"name": "end", "arg', []),
        (HERMES, "a <tool", "a <tool", []),
        (LLAMA, '{"name": "end", "parameters": {}}', "", ["end {}"]),
        (LLAMA, '{"size": 1}', '{"size": 1}', []),
        (LLAMA, 'see {"name": "x"}', 'see {"name": "x"}', []),
        (LLAMA, "", "", []),
        (MISTRAL, '<|im_start|>[{"name": "end", "arguments": {}, "id": "abcdefgh1"}]', "", ["abcdefgh1 end {}"]),
        (MISTRAL, '[{"name": "end"}]', '[{"name": "end"}]', []),
    ],
)
def test_answers_are_read(form: str, text: str, content: str, called: list[str]) -> None:
    grammars = Grammars(tokenizer(), tiny_decoder.tokenizer_json(), [2], ChatTemplate(tokenizer(), form))
    grammar = grammars.grammar(ChatBody(model="x", messages=USER, tools=TOOLS))
    assert grammar is not None
    reader = grammars.reader(grammar)
    assert reader is not None
    decoder, passed = tokenizer().stream(), ""
    for token in tokenizer().encode(text, parse_special_tokens=True):
        passed += reader.push(Piece(decoder.push(token), token, None, None, 0))
    reader.push(Piece("", 2, "stop", None, 0))
    rest, calls = reader.finish()
    told = [f"{call['function']['name']} {call['function']['arguments']}" for call in calls]
    if form is MISTRAL:
        told = [f"{call['id']} {each}" for call, each in zip(calls, told, strict=True)]
    assert told == called
    assert passed + rest == content
    assert passed.startswith(content[:-8]) or content.startswith(('{"', "<tool_call>")), "text has to go on at once"


@pytest.fixture(scope="module")
def calling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("calling")
    for name, text in {"hermes": HERMES, "mistral": MISTRAL, "other": MARKED_UP}.items():
        tiny_decoder.write(folder / "models" / name / "1", "threads = 1\n", text)
    with serving(folder, "--ready", "all") as service:
        yield service


@pytest.fixture
def client(calling: Service) -> Iterator[openai.OpenAI]:
    with connect(calling) as made:
        yield made


def given(model: str, **more: object) -> dict[str, object]:
    return {"model": model, "messages": USER, "tools": TOOLS, "max_tokens": 160, "seed": 1, **more}


def check_arguments(found: dict[str, object]) -> None:
    assert set(found) == {"to", "size"} and found["to"] in ("a", "b") and found["size"] in range(100)


def check(name: str, arguments: str) -> None:
    found = json.loads(arguments)
    assert isinstance(found, dict)
    if name == "put":
        check_arguments(found)


@pytest.mark.parametrize("model", ["hermes", "mistral", "other"])
def test_calls_that_a_request_wants(client: openai.OpenAI, model: str) -> None:
    wanted = {"type": "function", "function": {"name": "put"}}
    made = client.chat.completions.create(**given(model, tool_choice=wanted)).choices[0]
    assert made.finish_reason == "tool_calls" and made.message.content is None
    (call,) = made.message.tool_calls
    assert call.function.name == "put"
    check("put", call.function.arguments)
    one = given(model, tool_choice="required", parallel_tool_calls=False)
    (call,) = client.chat.completions.create(**one).choices[0].message.tool_calls
    check(call.function.name, call.function.arguments)
    parts = [part.choices[0] for part in client.chat.completions.create(**one, stream=True)]
    (streamed,) = [each for part in parts for each in part.delta.tool_calls or []]
    assert streamed.index == 0 and streamed.type == "function"
    assert streamed.function == type(streamed.function)(**call.function.model_dump())
    assert not any(part.delta.content for part in parts)
    assert [part.finish_reason for part in parts] == [None] * (len(parts) - 1) + ["tool_calls"]


@pytest.mark.parametrize("choice", [{}, {"tool_choice": "auto"}])
def test_the_model_has_the_choice(client: openai.OpenAI, choice: dict[str, str]) -> None:
    """A bias of the special token that begins calls decides for this model of random weights."""
    calls = given("mistral", **choice, logit_bias={"1": 100}, parallel_tool_calls=False)
    made = client.chat.completions.create(**calls).choices[0]
    assert made.finish_reason == "tool_calls"
    (call,) = made.message.tool_calls
    check(call.function.name, call.function.arguments)
    assert len(call.id) == 9
    text = given("mistral", **choice, logit_bias={"1": -100}, extra_body={"ignore_eos": True})
    made = client.chat.completions.create(**{**text, "max_tokens": 20}).choices[0]
    assert made.finish_reason == "length" and made.message.tool_calls is None
    parts = [part.choices[0] for part in client.chat.completions.create(**{**text, "max_tokens": 20}, stream=True)]
    assert "".join(part.delta.content or "" for part in parts) == made.message.content
    assert len(parts) > 5, "text has to go on at once"
    cut = client.chat.completions.create(**{**calls, "max_tokens": 9}).choices[0]
    assert cut.finish_reason == "length" and cut.message.content.startswith('[{"name"')


def test_results_of_tools_go_to_the_template(client: openai.OpenAI) -> None:
    call = {"id": "abcdefgh1", "type": "function", "function": {"name": "put", "arguments": '{"to": "a", "size": 1}'}}
    messages = [*USER, {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "abcdefgh1", "content": "done"}]  # fmt: skip
    expected = (
        "<|im_start|>user\nhello there<|im_end|>\n<|im_start|>assistant\n"
        '\n<tool_call>\n{"name": "put", "arguments": {"to": "a", "size": 1}}\n</tool_call><|im_end|>\n'
        "<|im_start|>tool\ndone<|im_end|>\n<|im_start|>assistant\n"
    )
    made = client.chat.completions.create(model="hermes", messages=messages, max_tokens=1)
    assert made.usage.prompt_tokens == len(tokenizer().encode(expected, parse_special_tokens=True))


WRONG_CALL = {"role": "assistant", "tool_calls": [{"type": "function", "function": {"name": "put", "arguments": "{"}}]}


@pytest.mark.parametrize(
    "body, said",
    [
        ({"model": "other"}, "in no known form"),
        ({"tool_choice": "required", "tools": []}, "no tools"),
        ({"tool_choice": {"type": "function", "function": {"name": "absent"}}}, "'put', 'end'"),
        ({"tools": [{"type": "function", "function": {"name": "a b"}}]}, "name 'a b'"),
        ({"tools": [{"type": "function", "function": {}}]}, "expected a function with a name"),
        ({"tools": [{"type": "function", "function": {"name": "a", "parameters": {"type": "no"}}}]}, "schema"),
        ({"tools": [{"type": "function", "function": {"name": "a", "parameters": [1]}}]}, "parameters of tool 'a'"),
        ({"response_format": {"type": "json_object"}}, "can't be combined"),
        ({"messages": [*USER, WRONG_CALL]}, "arguments of the call of 'put'"),
        ({"messages": [*USER, {"role": "assistant", "tool_calls": [1]}]}, "expected a call of a function"),
    ],
)
def test_wrong_requests(calling: Service, body: dict[str, object], said: str) -> None:
    answer = httpx.post(
        f"{calling.url}/openai/v1/chat/completions", json=given(**{"model": "hermes", **body}), timeout=60
    )
    assert answer.status_code == 400, answer.text
    assert said in answer.json()["error"]["message"]
