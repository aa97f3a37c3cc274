# SPDX-License-Identifier: MIT
"""The metrics besides KServe's own histograms of decoding, prediction and encoding."""

from __future__ import annotations

from collections.abc import Sequence

from prometheus_client import Counter, Gauge, Histogram

from .statistics import Statistics

_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
_MODEL = ("model", "version")

ANSWERS = Counter(
    "kuiper_infer_answers", "Inference requests that were answered, by the status sent", ("protocol", "status")
)
REQUESTS = Counter("kuiper_infer_requests", "Requests that ran or whose run failed", _MODEL)
BATCH_ROWS = Histogram(
    "kuiper_infer_batch_requests", "Requests that ran together", _MODEL, buckets=(1, 2, 4, 8, 16, 32)
)
QUEUE_LENGTH = Gauge("kuiper_infer_queue_length", "Requests that wait for a run", _MODEL)
PHASE_SECONDS = Histogram(
    "kuiper_infer_phase_seconds",
    "Time of a request in each phase: decode, queue, run (of its batch), encode",
    (*_MODEL, "phase"),
    buckets=_SECONDS,
)
MODEL_READY = Gauge("kuiper_infer_model_ready", "1 while a version of a model answers", _MODEL)
MODEL_LOADS = Counter("kuiper_infer_model_loads", "Versions that were loaded or reloaded", ("result",))

PHASES = ("decode", "queue", "run", "encode")


def answered() -> int:
    """How many inference requests got their result."""
    samples = [sample for metric in ANSWERS.collect() for sample in metric.samples if sample.name.endswith("_total")]
    return int(sum(sample.value for sample in samples if sample.labels["status"] in ("200", "OK")))


class ModelMetrics:
    """The metrics of one version of a model, and its statistics; it observes the model's queue."""

    def __init__(self, model: str, version: str, statistics: Statistics) -> None:
        self._statistics = statistics
        self._labels = (model, version)
        self._requests = REQUESTS.labels(*self._labels)
        self._rows = BATCH_ROWS.labels(*self._labels)
        self._queue = QUEUE_LENGTH.labels(*self._labels)
        self._phases = {phase: PHASE_SECONDS.labels(*self._labels, phase) for phase in PHASES}

    def start(self) -> None:
        """The version begins to answer."""
        MODEL_READY.labels(*self._labels).set(1)

    def queued(self, length: int) -> None:
        """The queue has another length."""
        self._queue.set(length)

    def ran(self, size: int, waited: Sequence[float], seconds: float) -> None:
        """A batch of `size` requests ended, whose requests had waited as long and which ran for `seconds`."""
        self._statistics.ran(size, waited, seconds)
        self._requests.inc(size)
        self._rows.observe(size)
        for wait in waited:
            self._phases["queue"].observe(wait)
            self._phases["run"].observe(seconds)

    def phase(self, name: str, seconds: float) -> None:
        """A request spent `seconds` in the phase `name`."""
        self._statistics.phase(name, seconds)
        self._phases[name].observe(seconds)

    def remove(self) -> None:
        """Ends the gauges of a version that was retired; its counts stay."""
        for gauge in (QUEUE_LENGTH, MODEL_READY):
            gauge.remove(*self._labels)
