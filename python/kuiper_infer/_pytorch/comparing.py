# SPDX-License-Identifier: MIT
"""Compares outputs and, if they depart, the operands before them."""

from __future__ import annotations

import dataclasses
import os
import pathlib
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import torch

from .._comparison import ComparedOutput, Comparison, Departure
from .._errors import ErrorCode, KuiperError
from .._model import Model
from .calls import to_numpy
from .difference import difference
from .reference import Reference


def compare_with(
    model: Model,
    inputs: Sequence[torch.Tensor],
    expected: Sequence[np.ndarray],
    reference: Callable[[], Reference] | None,
    rtol: float,
) -> Comparison:
    """Compares the outputs with `expected` and, if some depart, the operands with those of the reference."""
    ours = model.run([input.detach() for input in inputs])
    if len(ours) != len(expected):
        raise KuiperError(f"the model has {len(ours)} outputs, PyTorch gives {len(expected)}", ErrorCode.GRAPH)
    outputs = _compare_outputs(ours, expected, rtol)
    comparison = Comparison(outputs, rtol)
    if comparison.equal or reference is None:
        return comparison
    try:
        program = reference()
        operands = model.operands(*[input.detach() for input in inputs])
        operators = operators_in(model.param) if model.param else {}
        departure = next(departures(program, inputs, operands, rtol, operators), None)
        theirs = [to_numpy(tensor) for tensor in program.outputs(inputs)]
    except Exception as error:  # the program's own code runs here
        return dataclasses.replace(comparison, note=f"no operator can be named: {error}")
    note = ""
    if not all(output.equal for output in _compare_outputs(theirs, expected, rtol)):
        note = program.fault
    elif departure is None:
        note = "without optimisation every operator gives what PyTorch does: a fault of this library's optimisation"
    return dataclasses.replace(comparison, departure=departure, note=note)


def _compare_outputs(
    ours: Sequence[np.ndarray], theirs: Sequence[np.ndarray], rtol: float
) -> tuple[ComparedOutput, ...]:
    compared = []
    for own, other in zip(ours, theirs, strict=True):
        found = difference(own, other)
        compared.append(ComparedOutput(str(own.dtype), own.shape, found, not found.departs(rtol)))
    return tuple(compared)


def departures(
    program: Reference,
    inputs: Sequence[torch.Tensor],
    operands: Mapping[str, np.ndarray],
    rtol: float,
    operators: Mapping[str, tuple[str, str]],
) -> Iterator[Departure]:
    """The operands that differ from the program's, in its order. `operators`: (type, name) by the operands' names."""
    for operand, theirs, line in program.operands(inputs):
        if operand not in operands:
            continue
        found = difference(operands[operand], theirs)
        if found.departs(rtol):
            type_name, name = operators.get(operand, ("", ""))
            yield Departure(name, type_name, operand, line, found)


def operators_in(param: str | os.PathLike[str]) -> dict[str, tuple[str, str]]:
    """(type, name) of the operator that computes each operand, as the .param file has them.

    Its lines are: type, name, number of inputs, number of outputs, the inputs, the outputs, parameters.
    """
    operators = {}
    for line in pathlib.Path(param).read_text(encoding="utf-8").splitlines()[2:]:
        type_name, name, inputs, outputs, *rest = line.split()
        for operand in rest[int(inputs) : int(inputs) + int(outputs)]:
            operators[operand] = (type_name, name)
    return operators
