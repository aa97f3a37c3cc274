# SPDX-License-Identifier: MIT
"""What a scheduler tells of its work."""

from __future__ import annotations


class Observer:
    """Receives what happens, for metrics. All calls come from the scheduler's thread; these do nothing."""

    def queued(self, waiting: int, running: int) -> None:
        """The numbers of answers that wait and that are computed have changed."""

    def prompt(self, tokens: int, kept: int) -> None:
        """A prompt of `tokens` tokens begins; the states of some of them were kept from earlier prompts."""

    def first_token(self, seconds: float) -> None:
        """An answer's first token came so long after its request."""

    def next_token(self, seconds: float) -> None:
        """An answer's next token came so long after the one before it."""

    def ended(self, reason: str, tokens: int) -> None:
        """An answer of `tokens` tokens ended: a finish reason, or "error"."""
