# SPDX-License-Identifier: MIT
"""The queue of one model: requests wait here, are batched if that is allowed, and run on an executor's threads."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from kuiper_infer import CancelToken, ErrorCode, KuiperError, RunOptions

from .errors import ServeError, Status

Arrays = list[np.ndarray]
Run = Callable[[Arrays, RunOptions], Arrays]

_log = logging.getLogger("kserve.kuiper_infer")


class Observer(Protocol):
    """Receives what happens in a queue, for metrics. All calls come from the event loop's thread."""

    def queued(self, length: int) -> None: ...
    def ran(self, size: int, waited: Sequence[float], seconds: float) -> None: ...


@dataclass(eq=False)
class _Item:
    inputs: Arrays
    key: Hashable  # items of equal keys may be joined; None: never
    deadline: float | None
    answer: asyncio.Future[Arrays]
    arrived: float = field(default_factory=time.monotonic)
    batch: _Batch | None = None


@dataclass(eq=False)
class _Batch:
    """A run under way. It does not refer to its items, which refer to it: arrays in a cycle would stay for long."""

    wanted: int  # items whose requests wait for it
    cancel: CancelToken = field(default_factory=CancelToken)

    def leave(self) -> None:
        """Lets a request leave the queue. A run for which no request waits is cancelled."""
        self.wanted -= 1
        if self.wanted == 0:
            self.cancel.cancel()


def batch_sizes(max_size: int) -> tuple[int, ...]:
    """The sizes that batches may have, largest first: at most four, since the engine keeps four plans at a time."""
    sizes = [max_size, max_size // 2, max_size // 4, 1]
    return tuple(sorted({size for size in sizes if size >= 1}, reverse=True))


class Batcher:
    """Runs requests on `workers` threads. Requests of one row and equal shapes and types run together.

    `run` is called on those threads with the inputs, concatenated along the first axis, and returns the outputs, which
    are split along their first axis. `sizes` are the allowed numbers of rows, as `batch_sizes` returns them. A batcher
    has to be made and used in one event loop.
    """

    def __init__(
        self,
        run: Run,
        *,
        sizes: tuple[int, ...] = (1,),
        workers: int = 1,
        max_wait: float = 0.0,
        max_queue: int = 256,
        observer: Observer | None = None,
        name: str = "model",
    ) -> None:
        self._run = run
        self._sizes = sizes
        self._max_wait = max_wait
        self._max_queue = max_queue
        self._observer = observer
        self._name = name
        self._queue: deque[_Item] = deque()
        self._changed = asyncio.Event()
        self._closing = False
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix=f"run {name}")
        self._workers = [asyncio.create_task(self._work(), name=f"worker {i} of {name}") for i in range(workers)]

    @property
    def alive(self) -> bool:
        """Whether requests would be run: no worker has ended."""
        return not any(worker.done() for worker in self._workers)

    async def submit(self, inputs: Arrays, deadline: float | None = None) -> Arrays:
        """Returns the outputs for `inputs`. `deadline` is a moment of `time.monotonic()`."""
        if self._closing:
            raise ServeError(Status.UNAVAILABLE, f"model '{self._name}' is being retired")
        if len(self._queue) >= self._max_queue:
            raise ServeError(Status.QUEUE_FULL, f"{self._max_queue} requests wait for model '{self._name}' already")
        item = _Item(inputs, self._key(inputs), deadline, asyncio.get_running_loop().create_future())
        self._queue.append(item)
        self._note_length()
        self._changed.set()
        try:
            async with asyncio.timeout(None if deadline is None else deadline - time.monotonic()):
                return await item.answer
        except TimeoutError:
            raise ServeError(Status.DEADLINE, f"the deadline passed before model '{self._name}' had answered") from None
        finally:
            item.answer.cancel()  # no effect on an answer that is there
            if item.batch is not None:
                item.batch.leave()
            elif item in self._queue:  # no client waits for it any more, so other requests get its place
                self._queue.remove(item)
                self._note_length()

    async def close(self) -> None:
        """Accepts nothing more and returns when everything accepted has been answered."""
        self._closing = True
        self._changed.set()
        await asyncio.gather(*self._workers)
        self._threads.shutdown(wait=False)

    def _key(self, inputs: Arrays) -> Hashable:
        if self._sizes[0] == 1 or any(array.ndim == 0 or array.shape[0] != 1 for array in inputs):
            return None
        return tuple((array.shape, array.dtype.str) for array in inputs)

    def _note_length(self) -> None:
        if self._observer is not None:
            self._observer.queued(len(self._queue))

    async def _work(self) -> None:
        while await self._run_next():
            pass  # nothing is kept between two batches

    async def _run_next(self) -> bool:
        """Waits for a batch, runs it and gives the answers. Returns False when the queue is closed and empty."""
        items = await self._take()
        if not items:
            return False
        batch = _Batch(len(items))
        for item in items:
            item.batch = batch
        begun = time.monotonic()
        try:
            loop = asyncio.get_running_loop()
            answers = await loop.run_in_executor(self._threads, self._run_batch, items, batch.cancel)
        except Exception as error:  # a fault of ours must not end the worker: its requests get the error
            _log.exception("model '%s': a batch of %d failed", self._name, len(items))
            answers = [error] * len(items)
        if self._observer is not None:
            self._observer.ran(len(items), [begun - i.arrived for i in items], time.monotonic() - begun)
        for item, answer in zip(items, answers, strict=True):
            if item.answer.done():
                continue
            if isinstance(answer, Exception):
                item.answer.set_exception(answer)
            else:
                item.answer.set_result(answer)
        return True

    async def _take(self) -> list[_Item]:
        """Waits for the next batch and removes it from the queue. Nothing: the queue is closed and empty."""
        while True:
            if self._queue:
                items = self._mates(self._queue[0])
                rest = self._queue[0].arrived + self._max_wait - time.monotonic()
                if len(items) == self._sizes[0] or items[0].key is None or rest <= 0 or self._closing:
                    size = next(s for s in self._sizes if s <= len(items))
                    return self._remove(items[:size])
                timeout: float | None = rest
            elif self._closing:
                return []
            else:
                timeout = None
            self._changed.clear()  # nothing is awaited between the look at the queue and the wait: no change is missed
            try:
                async with asyncio.timeout(timeout):
                    await self._changed.wait()
            except TimeoutError:
                pass

    def _mates(self, first: _Item) -> list[_Item]:
        """The first item and the following ones that may run together with it, as many as the largest batch holds."""
        if first.key is None:
            return [first]
        mates: list[_Item] = []
        for item in self._queue:
            if item.key == first.key:
                mates.append(item)
                if len(mates) == self._sizes[0]:
                    break
        return mates

    def _remove(self, items: list[_Item]) -> list[_Item]:
        taken = set(map(id, items))
        self._queue = deque(i for i in self._queue if id(i) not in taken)
        self._note_length()
        return items

    def _run_batch(self, items: list[_Item], cancel: CancelToken) -> list[Arrays | Exception]:
        """Runs on a thread of the executor."""
        if len(items) > 1:
            try:
                joined = [np.concatenate(arrays) for arrays in zip(*(i.inputs for i in items), strict=True)]
                outputs = self._run(joined, RunOptions(deadline=_latest(items), cancel=cancel))
                return [[output[row : row + 1] for output in outputs] for row in range(len(items))]
            except KuiperError as error:
                if error.code in (ErrorCode.DEADLINE, ErrorCode.CANCELLED):
                    return [error] * len(items)
            # One request's contents may have failed the whole batch: each gets its own answer.
        return [self._run_alone(item, cancel) for item in items]

    def _run_alone(self, item: _Item, cancel: CancelToken) -> Arrays | Exception:
        try:
            return self._run(item.inputs, RunOptions(deadline=item.deadline, cancel=cancel))
        except Exception as error:  # the request gets it
            if not isinstance(error, KuiperError):
                _log.exception("model '%s': a run failed", self._name)
            return error


def _latest(items: list[_Item]) -> float | None:
    """The moment at which the last of the requests has no time left; their run need not stop earlier."""
    deadlines = [item.deadline for item in items]
    return None if None in deadlines else max(deadline for deadline in deadlines if deadline is not None)
