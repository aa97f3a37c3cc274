# SPDX-License-Identifier: MIT
"""The one place where answers are computed: they join and leave a running batch from token to token."""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass

import numpy as np

from .._errors import KuiperError
from ..text import Tokenizer
from .decoder import Decoder
from .observer import Observer
from .pieces import Piece
from .prefix_cache import PrefixCache
from .request import Request

# Tokens of a prompt in one run while nobody waits for a token.
_ALONE = 256


class QueueFull(RuntimeError):
    """As many answers wait as are allowed to."""


class Closed(RuntimeError):
    """The scheduler takes no answers any more."""


@dataclass(frozen=True)
class _Turn:
    """What a run computes for one answer: the step for its next token, or a part of its prompt."""

    request: Request
    tokens: list[int]
    count: int  # of the tokens; the rest is padding
    step: bool


class Scheduler:
    """Computes answers on a thread of its own, which `close` ends.

    Up to `max_running` answers share each run, in which each of them gets a token. Prompts are computed in the order
    of their arrival, `prompt_chunk` tokens at a time, in the runs of the others' tokens. `max_queue` answers wait.
    """

    def __init__(
        self,
        decoder: Decoder,
        tokenizer: Tokenizer,
        *,
        max_running: int = 8,
        max_queue: int | None = None,
        prompt_chunk: int = 32,
        max_length: int | None = None,
        prefix_cache_bytes: int = 256 << 20,
        observer: Observer | None = None,
        name: str = "generator",
    ) -> None:
        self._decoder = decoder
        self._max_running = max_running
        self._max_queue = max_queue
        self._prompt_chunk = prompt_chunk
        self.max_length = min((each for each in (decoder.max_length, max_length) if each is not None), default=None)
        self._cache = PrefixCache(prefix_cache_bytes)
        self._observer = observer or Observer()
        self._changed = threading.Condition()
        self._waiting: deque[Request] = deque()
        self._running: list[Request] = []  # in the order of their arrival; the thread's own
        self._closing = False
        self._dropping = False
        self._thread = threading.Thread(target=self._work, name=f"generate {name}", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether answers would be computed."""
        return self._thread.is_alive()

    def submit(self, request: Request) -> None:
        """Lets an answer wait for its turn. Raises QueueFull or Closed."""
        with self._changed:
            if self._closing or not self._thread.is_alive():
                raise Closed("the generator is closed")
            room = self._max_running - len(self._running)
            if self._max_queue is not None and len(self._waiting) >= self._max_queue + max(room, 0):
                raise QueueFull(f"{self._max_queue} answers wait already")
            self._waiting.append(request)
            self._changed.notify()

    def cancel(self, request: Request) -> None:
        """Ends an answer before the next step."""
        with self._changed:
            request.cancelled = True
            self._changed.notify()

    def close(self, *, finish: bool = False) -> None:
        """Takes no more answers. Returns when those it has are cancelled or, if `finish` is true, finished."""
        with self._changed:
            self._closing = True
            self._dropping = not finish
            self._changed.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _work(self) -> None:
        try:
            while self._join_and_leave():
                self._compute()
        except BaseException as error:  # a fault of this module: whoever waits has to be told
            with self._changed:
                self._closing = True
                left = [*self._running, *self._waiting]
                self._waiting.clear()
            for request in left:
                self._fail(request, error)
            raise
        finally:
            self._cache.clear()

    def _join_and_leave(self) -> bool:
        """Waits for work and chooses what runs. Returns False at the end."""
        with self._changed:
            if not (self._waiting or self._running):
                self._observer.queued(0, 0)
            while not (self._waiting or self._running or self._closing):
                self._changed.wait()
            leaving = [(each, reason) for each in (*self._running, *self._waiting) if (reason := self._leaves(each))]
            gone = {id(request) for request, _ in leaving}
            self._waiting = deque(each for each in self._waiting if id(each) not in gone)
            self._running = [each for each in self._running if id(each) not in gone]
            while self._waiting and len(self._running) < self._max_running:
                self._running.append(self._waiting.popleft())
            waiting = len(self._waiting)
        self._observer.queued(waiting, len(self._running))
        for request, reason in leaving:
            self._end(request, request.end(reason))
        return bool(self._running) or not self._closing

    def _leaves(self, request: Request) -> str | None:
        if request.cancelled or self._dropping:
            return "cancelled"
        deadline = request.options.deadline
        return "deadline" if deadline is not None and time.monotonic() >= deadline else None

    def _compute(self) -> None:
        """Gives each answer whose prompt has been read its next token, and reads a part of the next prompt beside."""
        part = self._prompt_part()
        turns = [self._step_of(each) for each in self._running if each.prompt_read]
        if part is not None:
            turns.append(part)
        if not turns:
            return
        try:
            results = self._run(turns)
        except Exception as error:
            if len(turns) > 1:  # the fault may be one answer's alone, such as memory: the others go on
                for turn in turns:
                    self._compute_alone(turn)
            else:
                self._fail(turns[0].request, error)
            return
        for turn, logits in zip(turns, results, strict=True):
            self._finish(turn, logits)

    @staticmethod
    def _step_of(request: Request) -> _Turn:
        tokens = request.tokens[request.computed :]
        return _Turn(request, tokens, len(tokens), step=True)

    def _prompt_part(self) -> _Turn | None:
        """A part of the oldest prompt of which more than the last token is left. A step computes that one."""
        request = next((each for each in self._running if not each.prompt_read), None)
        if request is None:
            return None
        try:
            if request.session is None:
                request.session = self._decoder.session()
                request.kept = request.computed = self._cache.restore(request.tokens, request.session)
                self._observer.prompt(request.prompt_length, request.kept)
            rest = request.tokens[request.computed : -1]
            if not rest:
                return None
            others = any(each.prompt_read for each in self._running)
            chunk = self._prompt_chunk if others else max(self._prompt_chunk, _ALONE)
            return _Turn(request, *self._decoder.part(rest, request.computed, chunk), step=False)
        except Exception as error:
            self._fail(request, error)
            return None

    def _run(self, turns: list[_Turn]) -> list[np.ndarray]:
        sessions = [turn.request.session for turn in turns if turn.request.session is not None]
        return self._decoder.run(sessions, [turn.tokens for turn in turns])

    def _compute_alone(self, turn: _Turn) -> None:
        try:
            (logits,) = self._run([turn])
        except Exception as error:
            self._fail(turn.request, error)
        else:
            self._finish(turn, logits)

    def _finish(self, turn: _Turn, logits: np.ndarray) -> None:
        request = turn.request
        request.computed += turn.count
        if turn.step:
            self._take(request, logits)
            return
        try:
            if request.session is not None and len(turn.tokens) > turn.count:
                request.session.truncate(request.computed)
        except Exception as error:
            self._fail(request, error)
            return
        if request.prompt_read:
            self._keep(request)

    def _keep(self, request: Request) -> None:
        """Keeps what an answer has computed for prompts that begin with the same tokens."""
        try:
            if request.session is not None:
                self._cache.store(request.tokens[: request.computed], request.session)
        except KuiperError:  # there is no memory for a copy, which nothing depends on
            self._cache.clear()

    def _take(self, request: Request, logits: np.ndarray) -> None:
        try:
            piece = request.take(logits, self.max_length)
        except Exception as error:  # also what a user's function raises
            self._fail(request, error)
            return
        now = time.monotonic()
        if request.answered == 1:
            self._observer.first_token(now - request.submitted)
        else:
            self._observer.next_token(now - request.last_token)
        request.last_token = now
        if piece.finish_reason is not None:
            self._end(request, piece)
        else:
            self._deliver(request, piece)

    def _end(self, request: Request, piece: Piece) -> None:
        """Takes an answer out of the batch. What it computed is kept for prompts that continue it."""
        self._running = [each for each in self._running if each is not request]
        if request.answered > 1:
            self._keep(request)
        request.session = None
        self._observer.ended(piece.finish_reason or "", request.answered)
        self._deliver(request, piece)

    def _fail(self, request: Request, error: BaseException) -> None:
        self._running = [each for each in self._running if each is not request]
        request.session = None
        self._observer.ended("error", request.answered)
        self._deliver(request, error)

    def _deliver(self, request: Request, result: Piece | BaseException) -> None:
        try:
            request.deliver(result)
        except Exception:  # nobody is there any more
            request.cancelled = True
