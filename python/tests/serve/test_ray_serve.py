# SPDX-License-Identifier: MIT
"""The service as an application of Ray Serve: two replicas behind Ray's proxy, and what a killed one costs."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

import tiny_decoder
from kuiper_infer.serve.server import Settings, dataplane_of

from . import models
from .ray_cluster import Cluster, in_ray

# Many choices with log-probabilities: a stream of some seconds.
LONG = {
    "model": "small",
    "messages": [{"role": "user", "content": "hello there"}],
    "stream": True,
    "n": 8,
    "max_tokens": 150,
    "ignore_eos": True,
    "logprobs": True,
    "top_logprobs": 20,
}
DONE = "data: [DONE]"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("ray")
    tiny_decoder.write(folder / "models" / "small" / "1")
    models.write(folder / "models" / "affine" / "1", models.AFFINE)
    made = Cluster(folder)
    yield made
    made.end()


def replica_that_answers(cluster: Cluster, session: str | None = None) -> str:
    """When the replica that answers a request began: its name in its own metrics."""
    headers = {} if session is None else {"x-session-id": session}
    text = httpx.get(f"{cluster.url}/metrics", headers=headers, timeout=60).text
    (line,) = [line for line in text.splitlines() if line.startswith("process_start_time_seconds ")]
    return line.split()[1]


def stream(cluster: Cluster, begun: threading.Event | None = None) -> tuple[str, list[str]]:
    """Asks for a long answer; returns how its stream ended, "done" or "cut", and its lines."""
    lines: list[str] = []
    try:
        with httpx.stream("POST", f"{cluster.url}/openai/v1/chat/completions", json=LONG, timeout=120) as answer:
            assert answer.status_code == 200
            for line in answer.iter_lines():
                lines.append(line)
                if begun is not None:
                    begun.set()
    except httpx.RemoteProtocolError:
        return "cut", lines
    return "done", lines


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "option 'models' has to name the folder of models"),
        ({"models": "m", "http_port": 1}, "there is no option 'http_port' here; there are models, ready, "),
        ({"models": "m", "page": "maybe"}, "option 'page': 'maybe' is not one of on, off"),
        ({"models": "m", "max_requests": 0}, "option 'max_requests': '0' is not an integer of at least 1"),
    ],
)
def test_options_are_checked_before_replicas_start(options: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        in_ray.application(options)


def test_a_replica_tells_why_its_models_do_not_answer(tmp_path: Path) -> None:
    models.write(tmp_path / "broken" / "1", models.AFFINE.replace("add(", "nothing("))

    async def begin() -> None:
        dataplane = dataplane_of(Settings(tmp_path, poll_seconds=0.05), 1)
        watching = dataplane.start_watch()
        try:
            await in_ray.until_ready(dataplane, watching)
        finally:
            watching.cancel()
            await dataplane.repository.close()

    with pytest.raises(RuntimeError, match=f"the models of {tmp_path} don't answer: broken/1: "):
        asyncio.run(begin())


def test_the_paths_are_those_of_the_service(cluster: Cluster) -> None:
    tensor = {"name": "x", "shape": [1, 3], "datatype": "FP32", "data": [1, 2, 3]}
    answer = httpx.post(f"{cluster.url}/v2/models/affine/infer", json={"inputs": [tensor]}, timeout=60).json()
    assert answer["outputs"][0]["data"] == [3, 5, 7]
    missing = httpx.get(f"{cluster.url}/v2/models/absent", timeout=60)
    assert (missing.status_code, missing.json()) == (404, {"error": "there is no model 'absent'"})
    assert "<title>" in httpx.get(f"{cluster.url}/", timeout=60).text


def test_a_stream_says_what_the_whole_answer_says(cluster: Cluster) -> None:
    asked = LONG | {"n": 1, "max_tokens": 12, "temperature": 0}
    url = f"{cluster.url}/openai/v1/chat/completions"
    whole = httpx.post(url, json=asked | {"stream": False}, timeout=60).json()
    lines = [line for line in httpx.post(url, json=asked, timeout=60).text.splitlines() if line]
    assert lines[-1] == DONE
    parts = [json.loads(line.removeprefix("data: "))["choices"] for line in lines[:-1]]
    text = "".join(choice["delta"].get("content") or "" for choices in parts for choice in choices)
    assert text == whole["choices"][0]["message"]["content"]


def test_requests_of_a_session_meet_the_same_replica(cluster: Cluster) -> None:
    cluster.until(lambda: len({replica_that_answers(cluster) for _ in range(20)}) == 2)  # the proxy knows both
    for session in ("one", "two", "three"):
        assert len({replica_that_answers(cluster, session) for _ in range(8)}) == 1


def test_a_killed_replica_costs_the_streams_that_it_had_begun(cluster: Cluster) -> None:
    before = cluster.replicas()
    begun = [threading.Event() for _ in range(8)]
    with ThreadPoolExecutor(len(begun)) as pool:
        streams = [pool.submit(stream, cluster, event) for event in begun]
        assert all(event.wait(60) for event in begun)
        os.kill(before[0], signal.SIGKILL)
        ends = [each.result() for each in streams]
    # A client tells an answer that was cut from one that is complete by its transfer and by its last line.
    for how, lines in ends:
        assert (how == "done") == (lines[-2:] == [DONE, ""])
    assert {how for how, _ in ends} == {"done", "cut"}
    # The other replica answers all the time, and Ray puts a new one in the place of the killed one.
    end = time.monotonic() + 120
    while len(set(cluster.replicas()) - {before[0]}) < 2:
        assert stream(cluster)[0] == "done" and time.monotonic() < end
    cluster.until(lambda: len({replica_that_answers(cluster) for _ in range(20)}) == 2)
