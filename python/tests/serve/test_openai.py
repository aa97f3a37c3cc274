# SPDX-License-Identifier: MIT
"""Generation by OpenAI's protocol, asked by the `openai` package and by hand, with a small decoder."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

import tiny_decoder
from kuiper_infer import Generator, Model
from kuiper_infer.text import Tokenizer

from . import models
from .openai_client import connect, openai
from .running_service import Service, Start, serving

USER = [{"role": "user", "content": "hello there"}]
LONG = {"ignore_eos": True, "max_tokens": 180}  # nearly all that the model has room for


@pytest.fixture(scope="module")
def generating(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("generating")
    tiny_decoder.write(folder / "models" / "small" / "1", "threads = 1\n")
    models.write(folder / "models" / "affine" / "1", models.AFFINE)
    with serving(folder, "--ready", "all") as service:
        yield service


@pytest.fixture
def client(generating: Service) -> Iterator[openai.OpenAI]:
    with connect(generating) as made:
        yield made


def post(service: Service, path: str = "chat/completions", /, **body: object) -> httpx.Response:
    given = {"model": "small", **({} if path == "completions" else {"messages": USER}), **body}
    return httpx.post(f"{service.url}/openai/v1/{path}", json=given, timeout=60)


def test_models(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["small"]
    assert client.models.retrieve("small").owned_by == "kuiper_infer"
    with pytest.raises(openai.NotFoundError, match="there is no model 'absent'"):
        client.models.retrieve("absent")


def test_a_conversation_whole_and_as_a_stream(client: openai.OpenAI) -> None:
    given = {"model": "small", "messages": USER, "temperature": 0, "max_tokens": 12, "extra_body": {"ignore_eos": True}}
    whole = client.chat.completions.create(**given)
    assert whole.choices[0].finish_reason == "length"
    assert whole.choices[0].message.role == "assistant"
    assert whole.usage is not None and whole.usage.completion_tokens == 12
    assert whole.usage.total_tokens == whole.usage.prompt_tokens + 12
    parts = list(client.chat.completions.create(**given, stream=True, stream_options={"include_usage": True}))
    assert "".join(part.choices[0].delta.content or "" for part in parts[:-1]) == whole.choices[0].message.content
    assert parts[0].choices[0].delta.role == "assistant"
    assert parts[-2].choices[0].finish_reason == "length"
    assert parts[-1].choices == [] and parts[-1].usage.completion_tokens == 12
    assert parts[-1].usage.prompt_tokens_details.cached_tokens == whole.usage.prompt_tokens - 1


def test_completions_are_those_of_a_generator(client: openai.OpenAI, generating: Service) -> None:
    folder = generating.folder / "small" / "1"
    model, tokenizer = Model(folder / "model.pnnx.param", threads=1), Tokenizer.load(folder / "tokenizer.json")
    prompts = ["hello", "a text", "0123"]
    with Generator(model, tokenizer) as generator:
        expected = generator.generate(prompts, max_tokens=9, ignore_endings=True).texts
    made = client.completions.create(
        model="small/1", prompt=prompts, max_tokens=9, temperature=0, extra_body={"ignore_eos": True}
    )
    assert [choice.text for choice in made.choices] == expected
    echoed = client.completions.create(
        model="small", prompt=tokenizer.encode("hello"), echo=True, max_tokens=9, temperature=0,
        extra_body={"ignore_eos": True}, stream=True,
    )  # fmt: skip
    assert "".join(part.choices[0].text for part in echoed) == "hello" + expected[0]


def test_seeds_choices_stops_and_log_probabilities(client: openai.OpenAI) -> None:
    given = {"model": "small", "messages": USER, "max_tokens": 15, "extra_body": {"ignore_eos": True}}
    several = client.chat.completions.create(**given, seed=4, n=3)
    texts = [choice.message.content for choice in several.choices]
    assert len(set(texts)) == 3
    assert client.chat.completions.create(**given, seed=5).choices[0].message.content == texts[1]
    stop = texts[0][4:7]
    ended = client.chat.completions.create(**given, seed=4, stop=[stop]).choices[0]
    assert (ended.message.content, ended.finish_reason) == (texts[0][: texts[0].index(stop)], "stop")
    told = client.chat.completions.create(**given, temperature=0, logprobs=True, top_logprobs=2).choices[0].logprobs
    assert told is not None and told.content is not None and len(told.content) == 15
    assert told.content[0].top_logprobs[0].token == told.content[0].token
    text = client.completions.create(model="small", prompt="a", logprobs=1, max_tokens=3).choices[0].logprobs
    assert len(text.token_logprobs) == len(text.tokens) == len(text.top_logprobs)


@pytest.mark.parametrize(
    "path, body, said",
    [
        ("chat/completions", {"messages": []}, "messages"),
        ("chat/completions", {"messages": [{"content": "x"}]}, "'role'"),
        ("chat/completions", {"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "neither a text"),
        ("chat/completions", {"temperature": 3}, "temperature"),
        ("chat/completions", {"temperature": "hot"}, "temperature"),
        ("chat/completions", {"top_p": 0}, "top_p"),
        ("chat/completions", {"n": 100}, "'n'"),
        ("chat/completions", {"max_tokens": 0}, "max_tokens"),
        ("chat/completions", {"max_tokens": 2**63}, "max_tokens"),
        ("chat/completions", {"stop": [""]}, "stop"),
        ("chat/completions", {"logit_bias": {"a": 1}}, "logit_bias"),
        ("chat/completions", {"logit_bias": {"1000": 1}}, "logit_bias"),
        ("chat/completions", {"surprise": 1}, "surprise"),
        ("chat/completions", {"tool_choice": "required"}, "no tools"),
        ("chat/completions", {"messages": [{"role": "user", "content": "a" * 300}]}, "tokens, expected less than"),
        ("completions", {"prompt": ""}, "no tokens"),
        ("completions", {"prompt": []}, "no prompts"),
        ("completions", {"prompt": [1000]}, "token 1000"),
        ("completions", {"prompt": [1000], "echo": True}, "can't be echoed"),
        ("completions", {"prompt": ["a"] * 17}, "17 answers"),
        ("completions", {}, "prompt"),
        ("completions", {"model": "affine", "prompt": "a"}, "generates no text"),
    ],
)
def test_wrong_requests(generating: Service, path: str, body: dict[str, object], said: str) -> None:
    answer = post(generating, path, **body)
    assert answer.status_code == 400, answer.text
    assert said in answer.json()["error"]["message"]
    assert answer.json()["error"]["type"] == "invalid_request_error"


def test_wrong_bodies_and_paths(generating: Service) -> None:
    url = f"{generating.url}/openai/v1"
    for body in (b"", b"{", b"[1]", b"\xff", b'{"model": ' + b"[" * 100_000):
        assert httpx.post(f"{url}/chat/completions", content=body).status_code == 400
    assert httpx.post(f"{url}/chat/completions", content=b" " * (5 << 20)).status_code == 413
    assert post(generating, model="absent").status_code == 404
    assert post(generating, model="absent").json()["error"]["code"] == "model_not_found"
    assert post(generating, "surprise").status_code == 404
    long = post(generating, messages=[{"role": "user", "content": "a" * 300}])
    assert long.json()["error"]["code"] == "context_length_exceeded"


def test_requests_share_the_steps(generating: Service) -> None:
    def ask(number: int) -> str:
        body = {"prompt": f"text {number}", "seed": number, "ignore_eos": True, "max_tokens": 40}
        return str(post(generating, "completions", **body).json()["choices"][0]["text"])

    alone = [ask(number) for number in range(12)]
    with ThreadPoolExecutor(12) as threads:
        assert list(threads.map(ask, range(12))) == alone


def running(service: Service) -> float:
    return service.metric("kuiper_infer_answers_running", model="small") + service.metric(
        "kuiper_infer_answers_waiting", model="small"
    )


@pytest.mark.parametrize("stream", [False, True])
def test_clients_that_go_free_their_places(start: Start, tmp_path: Path, stream: bool) -> None:
    tiny_decoder.write(tmp_path / "models" / "small" / "1", "threads = 1\n[generation]\nmax_running = 2\n")
    service = start()
    service.wait(service.ready)
    body = json.dumps({"model": "small", "messages": USER, "stream": stream, "n": 2, **LONG}).encode()
    head = f"POST /openai/v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    host, port = service.http.split(":")
    for _ in range(20):
        with socket.create_connection((host, int(port)), timeout=60) as connection:
            connection.sendall(head + body)
            if stream:
                assert connection.recv(100).startswith(b"HTTP/1.1 200")
    service.wait(lambda: running(service) == 0)
    assert post(service, max_tokens=1).status_code == 200
    assert "Traceback" not in service.log.read_text()


def resident_mib(service: Service) -> float:
    pages = int(Path(f"/proc/{service.process.pid}/statm").read_text().split()[1])
    return pages * 4096 / (1 << 20)


def test_two_hundred_clients_go_in_the_middle_of_their_streams(start: Start, tmp_path: Path) -> None:
    config = "threads = 1\n[generation]\nmax_running = 2\nprefix_cache_bytes = 1000000\n"
    tiny_decoder.write(tmp_path / "models" / "small" / "1", config)
    service = start("--max-requests", "256")
    service.wait(service.ready)
    body = json.dumps({"model": "small", "messages": USER, "stream": True, **LONG}).encode()
    head = f"POST /openai/v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    host, port = service.http.split(":")

    def ended(reason: str) -> float:
        return service.metric("kuiper_infer_answers_ended_total", model="small", reason=reason)

    def round_of_clients() -> None:
        given_up = ended("cancelled")
        with contextlib.ExitStack() as opened:
            for _ in range(200):
                connection = opened.enter_context(socket.create_connection((host, int(port)), timeout=60))
                connection.sendall(head + body)
                assert connection.recv(100).startswith(b"HTTP/1.1 200")
        service.wait(lambda: running(service) == 0)
        assert ended("cancelled") > given_up

    round_of_clients()
    before = resident_mib(service)
    for _ in range(2):
        round_of_clients()
    assert resident_mib(service) < before + 30
    service.wait(lambda: ended("cancelled") + ended("length") == 600)
    assert post(service, max_tokens=1).status_code == 200
    assert "Traceback" not in service.log.read_text()


def test_a_full_queue(start: Start, tmp_path: Path) -> None:
    config = "threads = 1\n[limits]\nmax_queue = 1\n[generation]\nmax_running = 1\nmax_answers = 2\n"
    tiny_decoder.write(tmp_path / "models" / "small" / "1", config)
    service = start()
    service.wait(service.ready)
    statuses: list[int] = []

    def ask() -> None:
        answer = post(service, **LONG)
        statuses.append(answer.status_code)
        if answer.status_code == 429:
            assert answer.json()["error"]["type"] == "rate_limit_error"
            assert answer.headers["retry-after"] == "1"

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(statuses) == {200, 429}
    assert post(service, n=3).status_code == 400
    assert post(service, max_tokens=1).status_code == 200


def test_a_deadline_in_a_stream_is_an_error_and_no_end(start: Start, tmp_path: Path) -> None:
    config = "threads = 1\n[generation]\ntimeout_seconds = 0.001\n"
    tiny_decoder.write(tmp_path / "models" / "small" / "1", config)
    service = start()
    service.wait(service.ready)
    assert post(service, **LONG).status_code == 504
    text = post(service, **LONG, stream=True).text
    assert "deadline" in text
    assert "[DONE]" not in text


def test_what_was_accepted_is_finished(start: Start, tmp_path: Path) -> None:
    tiny_decoder.write(tmp_path / "models" / "small" / "1", "threads = 1\n")
    service = start()
    service.wait(service.ready)
    with ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(post, service, **LONG) for _ in range(4)]
        service.wait(lambda: running(service) + sum(each.done() for each in asked) == 4)
        assert service.end() == 0
        assert [each.result().status_code for each in asked] == [200] * 4


def test_metrics(generating: Service) -> None:
    before = generating.metric("kuiper_infer_answer_tokens_total", model="small")
    post(generating, "completions", prompt="some prompt that is asked twice", max_tokens=5, ignore_eos=True)
    hits = generating.metric("kuiper_infer_prefix_hits_total", model="small")
    post(generating, "completions", prompt="some prompt that is asked twice", max_tokens=5, ignore_eos=True)
    assert generating.metric("kuiper_infer_answer_tokens_total", model="small") == before + 10
    assert generating.metric("kuiper_infer_prefix_hits_total", model="small") == hits + 1
    for name in ("kuiper_infer_prompt_tokens_total", "kuiper_infer_kept_tokens_total"):
        assert generating.metric(name, model="small") > 0
    assert generating.metric("kuiper_infer_answers_ended_total", model="small", reason="length") > 0
    assert generating.metric("kuiper_infer_first_token_seconds_count", model="small") > 0
    assert generating.metric("kuiper_infer_next_token_seconds_count", model="small") > 0
    generating.wait(lambda: running(generating) == 0)


SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 8},
        "size": {"type": "integer", "minimum": 0, "maximum": 99},
    },
    "required": ["name", "size"],
    "additionalProperties": False,
}  # fmt: skip


def test_answers_by_a_schema(client: openai.OpenAI) -> None:
    pytest.importorskip("llguidance")
    wanted = {"type": "json_schema", "json_schema": {"name": "thing", "schema": SCHEMA}}
    for seed in range(5):
        made = client.chat.completions.create(
            model="small", messages=USER, seed=seed, response_format=wanted, max_tokens=100
        )
        found = json.loads(made.choices[0].message.content)
        assert made.choices[0].finish_reason == "stop"
        assert set(found) == {"name", "size"} and 0 <= found["size"] <= 99 and len(found["name"]) <= 8
    with pytest.raises(openai.BadRequestError, match="schema"):
        wrong = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "surprise"}}}
        client.chat.completions.create(model="small", messages=USER, response_format=wrong)
