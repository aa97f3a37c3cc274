# SPDX-License-Identifier: MIT
"""The statistics of a version of a model since it was loaded, for the protocol's statistics extension."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class _Duration:
    """How often something happened and how long that took together."""

    count: int = 0
    nanoseconds: int = 0

    def add(self, seconds: float, count: int = 1) -> None:
        self.count += count
        self.nanoseconds += round(seconds * 1e9)

    def described(self) -> dict[str, int]:
        return {"count": self.count, "ns": self.nanoseconds}


# The extension's names of a request's phases, beside those of the service.
_PHASES = {"decode": "compute_input", "queue": "queue", "run": "compute_infer", "encode": "compute_output"}


@dataclass
class Statistics:
    """Counts and times. All calls come from the event loop's thread."""

    inferences: int = 0  # rows of requests that got their result, where rows are free; otherwise requests
    executions: int = 0
    last: int = 0  # milliseconds since 1970 when a request arrived last
    durations: dict[str, _Duration] = field(default_factory=lambda: defaultdict(_Duration))
    batches: dict[int, _Duration] = field(default_factory=lambda: defaultdict(_Duration))

    def phase(self, name: str, seconds: float) -> None:
        """A request spent `seconds` in a phase of the service."""
        self.durations[_PHASES[name]].add(seconds)

    def ran(self, size: int, waited: Sequence[float], seconds: float) -> None:
        """A batch of `size` requests ended, whose requests had waited as long and which ran for `seconds`."""
        self.executions += 1
        self.batches[size].add(seconds)
        self.durations["queue"].add(sum(waited), size)
        self.durations["compute_infer"].add(seconds * size, size)

    def answered(self, rows: int | None, seconds: float) -> None:
        """A request ended after `seconds`: with a result of `rows`, or without one."""
        self.last = round((time.time() - seconds) * 1000)
        self.inferences += rows or 0
        self.durations["fail" if rows is None else "success"].add(seconds)

    def described(self, name: str, version: int) -> dict[str, Any]:
        """An entry of the extension's `model_stats`."""
        names = ("success", "fail", *_PHASES.values())
        return {
            "name": name,
            "version": str(version),
            "last_inference": self.last,
            "inference_count": self.inferences,
            "execution_count": self.executions,
            "inference_stats": {each: self.durations[each].described() for each in names},
            "batch_stats": [
                {"batch_size": size, "compute_infer": self.batches[size].described()} for size in sorted(self.batches)
            ],
        }
