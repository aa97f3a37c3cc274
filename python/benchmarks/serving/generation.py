# SPDX-License-Identifier: MIT
"""Asks a server of OpenAI's protocol with 1, 4, 8 and 16 users and prints tokens per second, and the times to the first
token and from token to token.

The server is started by `--server`, or runs already. Each part of a stream that has text counts as a token. The load
average of the last minute stands beside each row: figures of a machine with other work say little.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import shlex
import subprocess
import time
from collections.abc import Iterator
from statistics import quantiles

import httpx

QUESTIONS = (
    "What is the capital of France?",
    "Write a short story about a dog that found a letter.",
    "Explain in simple words how a bicycle stays upright.",
    "Summarise: " + "The river rose in the night and took the bridge with it. " * 12,
    "Give me three ideas for a dinner with potatoes.",
)


async def ask(client: httpx.AsyncClient, model: str, question: str, tokens: int) -> list[float]:
    """Returns the moments of the request and of each token."""
    messages = [{"role": "user", "content": question}]
    body = {"model": model, "messages": messages, "max_tokens": tokens, "temperature": 0, "stream": True}
    moments = [time.perf_counter()]
    async with client.stream("POST", "chat/completions", json=body) as response:
        response.raise_for_status()
        async for line in response.aiter_lines():
            if line.startswith("data: {"):
                choices = json.loads(line[6:])["choices"]
                if choices and choices[0]["delta"].get("content"):
                    moments.append(time.perf_counter())
    return moments


async def user(client: httpx.AsyncClient, model: str, number: int, end: float, tokens: int) -> list[list[float]]:
    """Asks one question after the other until the time is over."""
    answers = []
    while time.perf_counter() < end:
        question = f"({number}.{len(answers)}) " + QUESTIONS[(number + len(answers)) % len(QUESTIONS)]
        answers.append(await ask(client, model, question, tokens))
    return answers


def shown(seconds: list[float]) -> str:
    """The median and the 99th percentile in milliseconds."""
    parts = quantiles(seconds, n=100, method="inclusive") if len(seconds) > 1 else seconds * 99
    return f"{parts[49] * 1000:.0f} / {parts[98] * 1000:.0f}"


async def measure(url: str, model: str, users: int, seconds: float, tokens: int) -> None:
    """Prints a row of the table."""
    async with httpx.AsyncClient(base_url=url, timeout=300, limits=httpx.Limits(max_connections=users)) as client:
        await ask(client, model, "Hello", 4)
        begun = time.perf_counter()
        end = begun + seconds
        found = await asyncio.gather(*(user(client, model, number, end, tokens) for number in range(users)))
        took = time.perf_counter() - begun
    answers = [answer for each in found for answer in each if len(answer) > 1]
    count = sum(len(answer) - 1 for answer in answers)
    first = [answer[1] - answer[0] for answer in answers]
    between = [b - a for answer in answers for a, b in zip(answer[1:], answer[2:], strict=False)]
    row = (users, len(answers), f"{count / took:.1f}", shown(first), shown(between), f"{os.getloadavg()[0]:.1f}")
    print("| " + " | ".join(map(str, row)) + " |", flush=True)


@contextlib.contextmanager
def running(command: str | None, url: str) -> Iterator[None]:
    """A server that answers, and that ends afterwards if a command has started it."""
    process = None if command is None else subprocess.Popen(shlex.split(command), stdout=subprocess.DEVNULL)
    try:
        wait_for_models(url, process)
        yield
    finally:
        if process is not None:
            process.terminate()
            process.wait(60)


def wait_for_models(url: str, process: subprocess.Popen[bytes] | None = None) -> None:
    """Returns when the server, which may be a process of this one, has a model to answer with."""
    end = time.monotonic() + 120
    while not answers_models(url):
        if time.monotonic() > end or (process is not None and process.poll() is not None):
            raise SystemExit(f"the server does not answer {url}/models")
        time.sleep(0.2)


def answers_models(url: str) -> bool:
    """Whether the server has a model to answer with."""
    try:
        return bool(httpx.get(f"{url}/models", timeout=10).json()["data"])
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        return False


def main() -> None:
    """Reads the command line and measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True, help="for example http://127.0.0.1:8080/openai/v1")
    parser.add_argument("--model", required=True, help="the model's name")
    parser.add_argument("--server", help="a command that starts the server; without it the server runs already")
    parser.add_argument("--users", type=int, nargs="+", default=[1, 4, 8, 16])
    parser.add_argument("--seconds", type=float, default=30, help="for each number of users")
    parser.add_argument("--tokens", type=int, default=64, help="the most tokens of an answer")
    given = parser.parse_args()
    with running(given.server, given.url):
        print("| users | answers | tokens/s | first token, ms (p50 / p99) | next token, ms (p50 / p99) | load |")
        print("|---|---|---|---|---|---|")
        for users in given.users:
            asyncio.run(measure(given.url, given.model, users, given.seconds, given.tokens))


if __name__ == "__main__":
    main()
