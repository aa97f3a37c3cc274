# SPDX-License-Identifier: MIT
"""The queue alone, with and without an engine."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
import weakref
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import kuiper_infer
from kuiper_infer import ErrorCode, KuiperError, RunOptions
from kuiper_infer.serve.batching import Arrays, Batcher, batch_sizes
from kuiper_infer.serve.errors import ServeError, Status

from . import models


class Sizes:
    """Remembers the sizes of batches."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def queued(self, length: int) -> None:
        pass

    def ran(self, size: int, waited: Sequence[float], seconds: float) -> None:
        assert len(waited) == size
        self.seen.append(size)


def double(inputs: Arrays, options: RunOptions) -> Arrays:
    return [inputs[0] * 2]


def row(value: float) -> Arrays:
    return [np.full((1, 2), value, np.float32)]


def test_10000_distinct_requests_of_64_clients_are_never_mixed(tmp_path: Path) -> None:
    model = kuiper_infer.Model(str(models.write(tmp_path, models.AFFINE)))
    sizes = Sizes()

    async def client(batcher: Batcher, first: int, answered: set[int]) -> None:
        for number in range(first, 10_000, 64):
            request = np.array([[number, number + 0.25, -number]], np.float32)
            (answer,) = await batcher.submit([request])
            np.testing.assert_array_equal(answer, request * 2 + 1)
            assert number not in answered
            answered.add(number)

    async def all_clients() -> set[int]:
        batcher = Batcher(model.run, sizes=batch_sizes(16), workers=2, observer=sizes)
        answered: set[int] = set()
        await asyncio.gather(*(client(batcher, first, answered) for first in range(64)))
        await batcher.close()
        return answered

    assert len(asyncio.run(all_clients())) == 10_000
    assert sum(sizes.seen) == 10_000
    assert set(sizes.seen) <= {1, 4, 8, 16}
    assert max(sizes.seen) == 16


def test_at_most_four_sizes() -> None:
    assert batch_sizes(1) == (1,)
    assert batch_sizes(2) == (2, 1)
    assert batch_sizes(8) == (8, 4, 2, 1)
    assert batch_sizes(32) == (32, 16, 8, 1)
    assert batch_sizes(6) == (6, 3, 1)


def test_a_request_waits_for_others_at_most_as_long_as_asked() -> None:
    sizes = Sizes()

    async def ask() -> float:
        batcher = Batcher(double, sizes=(2, 1), max_wait=0.2, observer=sizes)
        begun = time.monotonic()
        await asyncio.gather(batcher.submit(row(1)), batcher.submit(row(2)))
        together = time.monotonic() - begun
        await batcher.submit(row(3))
        alone = time.monotonic() - begun - together
        await batcher.close()
        assert together < 0.15
        return alone

    assert asyncio.run(ask()) >= 0.2
    assert sizes.seen == [2, 1]


def test_requests_of_other_shapes_and_of_several_rows_run_apart() -> None:
    sizes = Sizes()
    requests = [np.ones(shape, np.float32) for shape in ((1, 2), (1, 3), (1, 2), (2, 2), (1, 3))]

    async def ask() -> list[Arrays]:
        batcher = Batcher(double, sizes=(4, 2, 1), max_wait=0.05, observer=sizes)
        answers = await asyncio.gather(*(batcher.submit([request]) for request in requests))
        await batcher.close()
        return answers

    for request, answer in zip(requests, asyncio.run(ask()), strict=True):
        assert answer[0].shape == request.shape
    assert sorted(sizes.seen) == [1, 2, 2]


def test_a_request_that_fails_does_not_disturb_those_beside_it() -> None:
    def refuse_negative(inputs: Arrays, options: RunOptions) -> Arrays:
        if (inputs[0] < 0).any():
            raise KuiperError("negative", ErrorCode.INPUT)
        return double(inputs, options)

    async def ask() -> list[Arrays | BaseException]:
        batcher = Batcher(refuse_negative, sizes=(4, 2, 1), max_wait=0.05)
        answers = await asyncio.gather(*(batcher.submit(row(v)) for v in (1, -1, 2, 3)), return_exceptions=True)
        await batcher.close()
        return answers

    first, failed, second, third = asyncio.run(ask())
    assert isinstance(failed, KuiperError)
    assert [answer[0][0, 0] for answer in (first, second, third)] == [2, 4, 6]


def test_a_fault_in_a_run_leaves_the_worker_alive() -> None:
    def fail_once(inputs: Arrays, options: RunOptions) -> Arrays:
        if inputs[0][0, 0] == 0:
            raise ZeroDivisionError
        return double(inputs, options)

    async def ask() -> Arrays:
        batcher = Batcher(fail_once)
        with pytest.raises(ZeroDivisionError):
            await batcher.submit(row(0))
        assert batcher.alive
        answer = await batcher.submit(row(5))
        await batcher.close()
        return answer

    assert asyncio.run(ask())[0][0, 0] == 10


class Gate:
    """A run that takes until it is let through, and that heeds its options as the engine does."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.options: list[RunOptions] = []

    def __call__(self, inputs: Arrays, options: RunOptions) -> Arrays:
        self.options.append(options)
        while not self.open.wait(0.002):
            if options.cancel is not None and options.cancel.cancelled:
                raise KuiperError("cancelled", ErrorCode.CANCELLED)
        return double(inputs, options)


def test_a_full_queue_refuses() -> None:
    async def ask() -> None:
        gate = Gate()
        batcher = Batcher(gate, max_queue=2)
        running = asyncio.create_task(batcher.submit(row(0)))
        await asyncio.sleep(0.02)
        waiting = [asyncio.create_task(batcher.submit(row(v))) for v in (1, 2)]
        await asyncio.sleep(0.02)
        with pytest.raises(ServeError) as refused:
            await batcher.submit(row(3))
        assert refused.value.status is Status.QUEUE_FULL
        waiting[0].cancel()  # leaves its place to another
        await asyncio.sleep(0)
        waiting[0] = asyncio.create_task(batcher.submit(row(4)))
        await asyncio.sleep(0)
        gate.open.set()
        assert [answer[0][0, 0] for answer in await asyncio.gather(running, *waiting)] == [0, 8, 4]
        await batcher.close()

    asyncio.run(ask())


def test_deadlines_hold_in_the_queue_and_reach_the_run() -> None:
    async def ask() -> None:
        gate = Gate()
        batcher = Batcher(gate)
        deadline = time.monotonic() + 0.05
        running = asyncio.create_task(batcher.submit(row(1), deadline))
        queued = asyncio.create_task(batcher.submit(row(2), deadline))
        for task in (running, queued):
            with pytest.raises(ServeError) as late:
                await task
            assert late.value.status is Status.DEADLINE
        gate.open.set()
        await batcher.close()
        assert [options.deadline for options in gate.options] == [deadline]  # the one in the queue never ran

    asyncio.run(ask())


def test_a_run_is_cancelled_when_nobody_waits_for_it_any_more() -> None:
    async def ask() -> None:
        gate = Gate()
        batcher = Batcher(gate, sizes=(2, 1), max_wait=0.05)
        tasks = [asyncio.create_task(batcher.submit(row(v))) for v in (1, 2)]
        await asyncio.sleep(0.05)
        tasks[0].cancel()
        await asyncio.sleep(0.02)
        assert not gate.options[0].cancel.cancelled  # the other one still waits
        tasks[1].cancel()
        await asyncio.sleep(0.02)
        assert gate.options[0].cancel.cancelled
        await batcher.close()  # ends, although the gate was never opened

    asyncio.run(asyncio.wait_for(ask(), 10))


def test_a_batch_runs_until_the_last_of_its_deadlines() -> None:
    async def ask() -> None:
        gate = Gate()
        batcher = Batcher(gate, sizes=(2, 1), max_wait=0.05)
        end = time.monotonic() + 5
        early = asyncio.create_task(batcher.submit(row(1), time.monotonic() + 0.05))
        late = asyncio.create_task(batcher.submit(row(2), end))
        with pytest.raises(ServeError):
            await early
        gate.open.set()
        assert (await late)[0][0, 0] == 4
        assert gate.options[0].deadline == end
        await batcher.close()

    asyncio.run(ask())


@pytest.mark.parametrize("sizes", [(1,), (2, 1)])
def test_arrays_go_with_their_requests(sizes: tuple[int, ...]) -> None:
    """Their memory counts in the model's limit, so it must not wait for the collection of cycles."""

    async def run() -> None:
        batcher = Batcher(double, sizes=sizes)
        inputs = [row(1), row(2)]
        outputs = await asyncio.gather(*(batcher.submit(arrays) for arrays in inputs))
        kept = [weakref.ref(arrays[0]) for arrays in [*inputs, *outputs]]
        inputs.clear()
        outputs.clear()
        await asyncio.sleep(0.05)
        assert [reference() for reference in kept] == [None] * 4
        await batcher.close()

    gc.disable()
    try:
        asyncio.run(run())
    finally:
        gc.enable()


def test_closing_answers_what_was_accepted_and_refuses_the_rest() -> None:
    async def ask() -> None:
        gate = Gate()
        batcher = Batcher(gate, sizes=(4, 2, 1), max_wait=10)
        accepted = [asyncio.create_task(batcher.submit(row(v))) for v in range(7)]
        await asyncio.sleep(0.02)
        closing = asyncio.create_task(batcher.close())
        await asyncio.sleep(0.02)
        with pytest.raises(ServeError) as refused:
            await batcher.submit(row(9))
        assert refused.value.status is Status.UNAVAILABLE
        gate.open.set()
        await closing
        assert [answer[0][0, 0] for answer in await asyncio.gather(*accepted)] == [2 * v for v in range(7)]

    asyncio.run(asyncio.wait_for(ask(), 10))
