# SPDX-License-Identifier: MIT
"""Ends a service many times while users read streams, by SIGTERM and by SIGKILL in turn, and counts the streams' ends.

After SIGTERM each stream that has begun has to come to its end, and the service's status has to be 0. After SIGKILL a
client has to see that a stream was cut: neither the last chunk of HTTP nor "[DONE]" comes. A stream that ends as if it
were complete, and is not, is a fault after both.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

import httpx
from generation import wait_for_models


class Users:
    """Users that ask for a stream, read it to its end and ask again."""

    def __init__(self, url: str, model: str, tokens: int, users: int) -> None:
        self._url = url
        self._body = {"model": model, "stream": True, "max_tokens": tokens, "ignore_eos": True,
                      "messages": [{"role": "user", "content": "tell me about the river"}]}  # fmt: skip
        self._stop = threading.Event()
        self.ends: Counter[str] = Counter()
        self._threads = [threading.Thread(target=self._ask) for _ in range(users)]
        for thread in self._threads:
            thread.start()

    def _ask(self) -> None:
        while not self._stop.is_set():
            end = self._stream()
            self.ends[end] += 1
            if end == "refused":
                time.sleep(0.05)

    def _stream(self) -> str:
        last = None
        try:
            with httpx.stream("POST", f"{self._url}/chat/completions", json=self._body, timeout=60) as answer:
                if answer.status_code != 200:
                    return "refused" if answer.status_code == 503 else f"status {answer.status_code}"
                for line in answer.iter_lines():
                    last = line.removeprefix("data: ") or last
        except (httpx.ConnectError, httpx.ReadError, httpx.RemoteProtocolError):
            return "refused" if last is None else "cut"
        if last == "[DONE]":
            return "done"
        return "told" if last is not None and "error" in json.loads(last) else "silent"

    def stop(self) -> None:
        """Lets the users read their last streams."""
        self._stop.set()
        for thread in self._threads:
            thread.join()


def main() -> int:
    """Reads the command line and measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", required=True, help="the folder of models")
    parser.add_argument("--model", required=True, help="the name of one that generates text")
    parser.add_argument("--port", type=int, default=8124)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--users", type=int, default=4)
    parser.add_argument("--tokens", type=int, default=64, help="of an answer")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    moments = random.Random(given.seed)
    url = f"http://127.0.0.1:{given.port}/openai/v1"
    command = [sys.executable, "-m", "kuiper_infer.serve", "--models", given.models, "--http-port", str(given.port)]
    command += ["--grpc-port", "0", "--log-level", "error"]
    ends: dict[str, Counter[str]] = {"SIGTERM": Counter(), "SIGKILL": Counter()}
    faults = 0
    for kill in range(given.kills):
        sent = signal.SIGTERM if kill % 2 == 0 else signal.SIGKILL
        service = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        wait_for_models(url, service)
        users = Users(url, given.model, given.tokens, given.users)
        time.sleep(moments.uniform(0.2, 1.5))
        service.send_signal(sent)
        status = service.wait(60)
        users.stop()
        ends[sent.name] += users.ends
        wrong = sum(count for end, count in users.ends.items() if end not in ("done", "told", "cut", "refused"))
        if sent is signal.SIGTERM:
            wrong += users.ends["cut"] + (status != 0)
        if wrong:
            print(f"kill {kill} by {sent.name}: status {status}, {dict(users.ends)}", flush=True)
        faults += wrong
    for name, found in ends.items():
        print(f"{name}: streams {dict(found)}")
    print(f"seed {given.seed}, {given.kills} kills, faults: {faults}")
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
