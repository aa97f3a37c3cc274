# SPDX-License-Identifier: MIT
"""The metrics of generation."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

from ..._generation.observer import Observer

_MODEL = ("model", "version")
_SECONDS = (0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2, 5, 10, 30, 60)

PROMPT_TOKENS = Counter("kuiper_infer_prompt_tokens", "Tokens of prompts", _MODEL)
KEPT_TOKENS = Counter(
    "kuiper_infer_kept_tokens", "Tokens of prompts whose states were kept from earlier requests", _MODEL
)
PREFIX_HITS = Counter("kuiper_infer_prefix_hits", "Prompts that begin with tokens whose states were kept", _MODEL)
ANSWER_TOKENS = Counter("kuiper_infer_answer_tokens", "Tokens of answers that have ended", _MODEL)
ENDED = Counter("kuiper_infer_answers_ended", "Answers that have ended, by the reason", (*_MODEL, "reason"))
FIRST_TOKEN = Histogram(
    "kuiper_infer_first_token_seconds", "Time from a request to its first token", _MODEL, buckets=_SECONDS
)
NEXT_TOKEN = Histogram(
    "kuiper_infer_next_token_seconds", "Time from a token to the next one of its answer", _MODEL, buckets=_SECONDS
)
WAITING = Gauge("kuiper_infer_answers_waiting", "Answers that wait for their turn", _MODEL)
RUNNING = Gauge("kuiper_infer_answers_running", "Answers that are computed", _MODEL)


class GenerationMetrics(Observer):
    """The metrics of one version of a model."""

    def __init__(self, model: str, version: str) -> None:
        self._labels = (model, version)
        self._prompt_tokens = PROMPT_TOKENS.labels(model, version)
        self._kept_tokens = KEPT_TOKENS.labels(model, version)
        self._prefix_hits = PREFIX_HITS.labels(model, version)
        self._answer_tokens = ANSWER_TOKENS.labels(model, version)
        self._first = FIRST_TOKEN.labels(model, version)
        self._next = NEXT_TOKEN.labels(model, version)
        self._waiting = WAITING.labels(model, version)
        self._running = RUNNING.labels(model, version)

    def queued(self, waiting: int, running: int) -> None:
        """Notes the numbers of answers."""
        self._waiting.set(waiting)
        self._running.set(running)

    def prompt(self, tokens: int, kept: int) -> None:
        """Counts a prompt's tokens."""
        self._prompt_tokens.inc(tokens)
        self._kept_tokens.inc(kept)
        self._prefix_hits.inc(kept > 0)

    def first_token(self, seconds: float) -> None:
        """Notes the time to an answer's first token."""
        self._first.observe(seconds)

    def next_token(self, seconds: float) -> None:
        """Notes the time to the next token."""
        self._next.observe(seconds)

    def ended(self, reason: str, tokens: int) -> None:
        """Counts an answer."""
        self._answer_tokens.inc(tokens)
        ENDED.labels(*self._labels, reason).inc()

    def remove(self) -> None:
        """Ends the gauges of a version that was retired; its counts stay."""
        for gauge in (WAITING, RUNNING):
            gauge.remove(*self._labels)
