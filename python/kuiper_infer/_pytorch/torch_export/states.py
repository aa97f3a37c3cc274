# SPDX-License-Identifier: MIT
"""Inputs of a model whose next values are outputs of it: the parameters `state` and `window` of a pnnx.Input."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import torch

from ..._states import State
from .model_file import Operand, Operator

_JOINS = ("aten::cat", "torch.cat")
_CACHED = re.compile(r"\.((?:key|value)_cache\.\d+)$")


class StateError(ValueError):
    """A pair of an output and an input that cannot be a state."""


def mark_states(
    operators: Sequence[Operator], states: Mapping[str, State], buffers: Mapping[str, torch.Tensor]
) -> None:
    """Writes `state=N`, with the output's number, on the inputs of the pairs and on those of changed buffers, and
    `window=N` where a state has a window.

    `states`: by the outputs' names; `buffers`: the values of changed buffers before the first run, which
    become the attribute `initial` of their inputs. Raises StateError that names the pair at fault.
    """
    inputs = {each.name: each for each in operators if each.type == "pnnx.Input"}
    outputs = {each.name: each for each in operators if each.type == "pnnx.Output"}
    numbers = {name: number for number, name in enumerate(outputs)}
    taken: dict[str, str] = {}  # outputs by inputs
    for output, (given, window) in states.items():
        pair = f"states gives {output!r}: {given!r}"
        if output not in outputs:
            raise StateError(f"{pair}, but the model has no output of that name: {', '.join(outputs)}")
        if given not in inputs:
            raise StateError(f"{pair}, but the model has no input of that name: {', '.join(inputs)}")
        if given in taken:
            raise StateError(f"{pair}, but the output {taken[given]!r} has that input already")
        _check_pair(pair, outputs[output].inputs[0][1], inputs[given].outputs[0])
        inputs[given].parameters["state"] = str(numbers[output])
        if window is not None:
            _check_growth(pair, operators, outputs[output].inputs[0][1], inputs[given].outputs[0])
            inputs[given].parameters["window"] = str(window)
        taken[given] = output
    for name, values in buffers.items():
        inputs[name].parameters["state"] = str(numbers[f"{name}.out"])
        inputs[name].weights["initial"] = values


def cache_states(operators: Sequence[Operator]) -> dict[str, State]:
    """The states of a cache object that forward takes and returns, by the outputs' names.

    The arrays of both have the same place in the object, such as `key_cache.3`, behind names of their own.
    """
    places = {
        kind: {match[1]: each.name for each in operators if each.type == kind and (match := _CACHED.search(each.name))}
        for kind in ("pnnx.Input", "pnnx.Output")
    }
    before, after = places["pnnx.Input"], places["pnnx.Output"]
    return {after[place]: State(before[place]) for place in after if place in before}


def _check_growth(pair: str, operators: Sequence[Operator], after: Operand, before: Operand) -> None:
    joins = [each for each in operators if each.type in _JOINS and any(made is after for made in each.outputs)]
    if not any(len(each.inputs) == 2 and each.inputs[0][1] is before for each in joins):
        raise StateError(
            f"{pair}, but a window needs an output that is the input with new elements behind it by torch.cat"
        )


def _check_pair(pair: str, after: Operand, before: Operand) -> None:
    if after.dtype != before.dtype or len(after.shape) != len(before.shape):
        raise StateError(f"{pair}, but the output is {after.text()} and the input {before.text()}")
    pairs = zip(after.shape, before.shape, strict=True)
    fixed = [axis for axis, (new, old) in enumerate(pairs) if old is not None and new != old]
    if fixed:
        raise StateError(
            f"{pair}, but the output is {after.text()} and the input {before.text()}, which differ along axis "
            f"{fixed[0]}, expected the same extent or a free one"
        )
