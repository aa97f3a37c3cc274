# SPDX-License-Identifier: MIT
"""Writes loops as often as they run. The runtime has no loops, so the number of steps has to be known at the export."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from .graph_writer import GraphWriter, LoopError

aten = torch.ops.aten

Run = Callable[[torch.fx.GraphModule, Sequence[Any]], list[Any]]
"""Writes the nodes of a body for these arguments, and returns its results."""

MOST_STEPS = 1000


class Undecided:
    """A number that the data decides when the loop ends, so that no value stands for it."""


def unroll_scan(
    writer: GraphWriter,
    run: Run,
    body: torch.fx.GraphModule,
    carried: Sequence[Any],
    parts: Sequence[Any],
    others: Sequence[Any],
) -> list[Any]:
    """The last carried values, and of each step's further results one array. `parts`: arrays, of which each step reads
    one element along axis 0."""
    values = list(carried)
    results: list[list[Any]] = []
    for step in range(_steps(parts, "scan")):
        elements = [writer.call(aten.select.int, part, 0, step) for part in parts]
        made = run(body, [*values, *elements, *others])
        values = made[: len(values)]
        results.append(made[len(values) :])
    return [*values, *(writer.call(aten.stack.default, list(each)) for each in zip(*results, strict=True))]


def unroll_map(
    writer: GraphWriter, run: Run, body: torch.fx.GraphModule, parts: Sequence[Any], others: Sequence[Any]
) -> list[Any]:
    """What the body gives for each element along axis 0."""
    steps = range(_steps(parts, "map"))
    made = [run(body, [*(writer.call(aten.select.int, part, 0, i) for part in parts), *others]) for i in steps]
    return [writer.call(aten.stack.default, list(each)) for each in zip(*made, strict=True)]


def _steps(parts: Sequence[torch.fx.Node], name: str) -> int:
    extent = parts[0].meta["val"].shape[0]
    if not isinstance(extent, int):
        raise LoopError(
            f"a {name} over an axis with a free extent: the runtime has no loops, so that extent has to be fixed"
        )
    if extent > MOST_STEPS:
        raise LoopError(
            f"a {name} of {extent} steps: the runtime has no loops, and at most {MOST_STEPS} are written out"
        )
    return extent


def unroll_while(
    writer: GraphWriter,
    run: Run,
    condition: torch.fx.GraphModule,
    body: torch.fx.GraphModule,
    carried: Sequence[Any],
    others: Sequence[Any],
) -> list[Any]:
    """The carried values when the condition is false for the first time.

    The steps end where the condition is false whatever the data are. If the data may end the loop before, each step's
    results are chosen or not by the conditions up to it.
    """
    values, chosen = list(carried), list(carried)
    active: Any = None  # whether all conditions so far were true, if that depends on the data
    for _ in range(MOST_STEPS):
        (holds,) = run(condition, [*values, *others])
        truth = writer.truth_of(holds)
        if truth is False:
            return chosen
        if truth is None:
            if not _is_array(holds) or all(writer.value_of(each) is None for each in values):
                break
            holds = writer.call(aten.reshape.default, holds, [])
            active = holds if active is None else writer.call(aten.logical_and.default, active, holds)
        values = run(body, [*values, *others])
        chosen = (
            values if active is None else [choice(writer, active, *pair) for pair in zip(values, chosen, strict=True)]
        )
    raise LoopError(
        f"a while_loop for which no number of steps up to {MOST_STEPS} is known at the export: the runtime has no loops"
    )


def _is_array(value: Any) -> bool:
    return isinstance(value, torch.fx.Node) and isinstance(value.meta["val"], torch.Tensor)


def choice(writer: GraphWriter, condition: Any, taken: Any, other: Any) -> Any:
    """`taken` where the condition is true, `other` elsewhere."""
    if taken is other or (not isinstance(taken, torch.fx.Node) and taken == other):
        return taken
    if not all(_is_array(each) for each in (taken, other)):
        return Undecided()
    if condition.meta["val"].dim() > 0:
        condition = writer.call(aten.reshape.default, condition, [])
    return writer.call(aten.where.self, condition, taken, other)
