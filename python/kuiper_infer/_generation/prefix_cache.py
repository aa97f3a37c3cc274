# SPDX-License-Identifier: MIT
"""States of texts that were computed, for prompts that begin with the same tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._core import StateSnapshot
from .._errors import KuiperError
from .._session import Session


class _Entry:
    def __init__(self, tokens: np.ndarray, snapshot: StateSnapshot, size: int) -> None:
        self.tokens = tokens
        self.snapshot = snapshot
        self.size = size


class PrefixCache:
    """Keeps states by their tokens, up to `max_bytes`. What was not used for the longest time goes first."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._entries: list[_Entry] = []  # the last used one last
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    def store(self, tokens: Sequence[int], session: Session) -> None:
        """Keeps a copy of a session's states, which are those of `tokens`. Entries that it continues go."""
        size = session.state_bytes + 8 * len(tokens)
        if size > self._max_bytes or not tokens:
            return
        given = np.array(tokens, np.int64)
        for entry in [each for each in self._entries if _common(each.tokens, given) == len(each.tokens)]:
            self._drop(entry)
        while self._entries and self.bytes + size > self._max_bytes:
            self._drop(self._entries[0])
        self._entries.append(_Entry(given, session.snapshot(), size))
        self.bytes += size

    def restore(self, tokens: Sequence[int], session: Session) -> int:
        """Gives a session the states of the first tokens, as many as are known, but not all: the last one's logits are
        wanted. Returns their number."""
        given = np.array(tokens[:-1], np.int64)
        lengths = [_common(entry.tokens, given) for entry in self._entries]
        longest = max(lengths, default=0)
        if longest == 0:
            return 0
        entry = self._entries.pop(lengths.index(longest))
        self._entries.append(entry)
        try:
            session.restore(entry.snapshot)
            if longest < len(entry.tokens):
                session.truncate(longest)
        except KuiperError:  # states that don't grow, or whose window has moved on, have no earlier ones
            session.reset()
            return 0
        return longest

    def clear(self) -> None:
        """Forgets everything."""
        self._entries.clear()
        self.bytes = 0

    def _drop(self, entry: _Entry) -> None:
        self._entries.remove(entry)
        self.bytes -= entry.size


def _common(one: np.ndarray, other: np.ndarray) -> int:
    """The number of first tokens that are the same."""
    length = min(len(one), len(other))
    different = one[:length] != other[:length]
    return int(different.argmax()) if different.any() else length
