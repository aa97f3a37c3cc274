# SPDX-License-Identifier: MIT
"""Options of one run."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

from ._checks import integer, number
from ._core import CancelToken


@dataclasses.dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Options of one run of a model.

    Requests to stop are checked between operators, so a run ends late by at most one operator.

    >>> import time
    >>> options = RunOptions(deadline=time.monotonic() + 0.5)
    """

    threads: int = 0
    """Threads that compute the run; 0: the model's number."""

    deadline: float | None = None
    """A moment of `time.monotonic()` after which the run ends with `KuiperError` (DEADLINE)."""

    cancel: CancelToken | None = None
    """A token whose `cancel()` ends the run with `KuiperError` (CANCELLED)."""

    progress: Callable[[int, int, str, str], object] | None = None
    """Called after each step with the number of steps done, the number of all steps, and the last operator's name and
    type. Each call takes the GIL, which costs time."""

    def __post_init__(self) -> None:
        integer("threads", self.threads, 0)
        if self.deadline is not None and math.isnan(number("deadline", self.deadline)):
            raise ValueError("deadline is nan, expected a moment of time.monotonic()")
        if self.cancel is not None and not isinstance(self.cancel, CancelToken):
            raise TypeError(f"cancel is {self.cancel!r}, expected a CancelToken, or None")
        if self.progress is not None and not callable(self.progress):
            raise TypeError(f"progress is {self.progress!r}, expected a function, or None")


_DEFAULT = RunOptions()


def run_arguments(options: RunOptions | None) -> tuple[int, float | None, CancelToken | None, object]:
    """Returns the arguments of a run in the order of `_core`: threads, deadline, cancel, progress."""
    given = _DEFAULT if options is None else options
    if not isinstance(given, RunOptions):
        raise TypeError(f"options is {type(given).__name__}, expected RunOptions")
    return given.threads, given.deadline, given.cancel, given.progress
