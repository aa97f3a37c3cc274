# SPDX-License-Identifier: MIT
"""Writes a module's files by way of torch.export."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import torch

from ..._states import State
from ..calls import Call, tensors_of, to_numpy
from ..difference import difference
from .channel_shuffle import find_channel_shuffles
from .fixed_extents import recorded_reasons
from .fold_batch_norm import fold_batch_norms
from .fold_constants import fold_constants
from .graph_reference import GraphReference
from .guards import add_assertions, conditions_of
from .model_file import write
from .names import input_names, output_names
from .other_sizes import call_of_sizes, sizes_of
from .program import export_program, prepared
from .program_parts import constants_of, extents_of, input_nodes, states_of
from .ranges import range_parameters
from .simplify import Weights, drop_identities
from .states import cache_states, mark_states
from .translation import StoredWeight, Translation


@dataclasses.dataclass(frozen=True)
class Additions:
    """What the files hold besides the program."""

    states: Mapping[str, State] = dataclasses.field(default_factory=dict)  #: by the outputs' names
    stored: Mapping[Any, StoredWeight] = dataclasses.field(default_factory=dict)
    """By the identity of a weight (`identity_of`) what is written in its place: an attribute for each ending."""


NOTHING = Additions()


@dataclasses.dataclass(frozen=True)
class Written:
    """What was written, for checks and messages."""

    reference: GraphReference
    inputs: list[str]
    extents: list[list[Any]]  #: for each tensor among the arguments its extents; free ones are symbolic
    ranges: dict[Any, Any]  #: the bounds of the symbols in them
    states: dict[str, torch.Tensor]  #: the buffers that forward changes, which are inputs and outputs of the model
    reasons: Sequence[Sequence[str]] = ()  #: for each of the extents the line of code that fixes it, if it is known


def write_by_torch(
    module: torch.nn.Module,
    call: Call,
    result: Any,
    dynamic_shapes: Any,
    names: tuple[Sequence[str] | None, Sequence[str] | None],
    stem: pathlib.Path,
    additions: Additions = NOTHING,
) -> Written:
    """Writes STEM.pnnx.param and STEM.pnnx.bin. `result`: what the module gives for the call.

    `names`: those of the inputs and outputs, or None for the names that the module's code has.
    """
    with recorded_reasons() as reasons:
        exported = export_program(module, call, dynamic_shapes)
        conditions = conditions_of(exported)
        program = prepared(exported)
    extents = extents_of(program)
    ones = fitting_ones(program, module, call, extents)
    own_names = input_names(module, call)
    add_assertions(program, conditions, own_names)
    inputs, outputs = names[0] or own_names, names[1] or output_names(result)
    made = write_program(program, inputs, outputs, ones, stem, additions)
    return dataclasses.replace(
        made,
        reasons=[
            [reasons.get((name, axis), "") for axis in range(len(shape))]
            for name, shape in zip(own_names, extents, strict=True)
        ],
    )


def write_program(
    program: torch.export.ExportedProgram,
    inputs: Sequence[str],
    outputs: Sequence[str],
    ones: AbstractSet[Any],
    stem: pathlib.Path,
    additions: Additions = NOTHING,
) -> Written:
    """Writes the files of an exported program. `ones`: the free extents that may be 1."""
    weights = Weights(program.graph, constants_of(program))
    drop_identities(program.graph)
    fold_batch_norms(weights)
    fold_constants(program, weights)
    find_channel_shuffles(program.graph)
    extents, ranges = extents_of(program), dict(program.range_constraints)
    parameters = range_parameters(extents, ranges, ones)
    translation = Translation(program, inputs, outputs, weights.tensors, parameters, additions.stored)
    states = states_of(program)
    pairs = {**cache_states(translation.operators), **additions.states}
    mark_states(translation.operators, pairs, states)
    write(translation.operators, stem)
    reference = GraphReference(program.graph, weights.tensors, input_nodes(program), len(states))
    return Written(reference, list(inputs), extents, ranges, states)


def fitting_ones(program: torch.export.ExportedProgram, module: Any, call: Call, extents: list[list[Any]]) -> set[Any]:
    """The free extents that may be 1: the program then gives what the module does.

    PyTorch exports for extents of 2 and more, since code may treat an extent of 1 in another way. Nothing is tried for
    extents whose bounds say already that they may be 1.
    """
    ranges = program.range_constraints
    unsaid = [symbol for symbol, bounds in ranges.items() if bounds.lower == 2]
    sizes = {symbol: size for symbol, size in sizes_of(call, extents).items() if symbol in unsaid}
    # Extents of one size, as the batch of two inputs, may have to be the same without PyTorch's saying so.
    groups = [{symbol for symbol in sizes if sizes[symbol] == size} for size in sorted(set(sizes.values()))]
    together = [group for group in groups if _fit_one(program, module, call, extents, group)]
    alone = [{symbol} for symbol in sizes if not any(symbol in group for group in together)]
    return set().union(*together, *(each for each in alone if _fit_one(program, module, call, extents, each)))


def _fit_one(
    program: torch.export.ExportedProgram, module: Any, call: Call, extents: list[list[Any]], symbols: set[Any]
) -> bool:
    """Whether the program gives what the module does if these free extents are 1."""
    single = call_of_sizes(call, extents, sizes_of(call, extents) | dict.fromkeys(symbols, 1))
    states = states_of(program)
    graph = GraphReference(program.graph, constants_of(program), input_nodes(program), len(states))
    try:
        result, after = single.run_with_states(module, list(states))
        expected = [to_numpy(tensor) for tensor in [*tensors_of(result), *after]]
        made = [to_numpy(tensor) for tensor in graph.outputs([*single.tensors, *states.values()])]
    except Exception:
        return False
    return len(made) == len(expected) and not any(
        difference(ours, theirs).departs(1e-4) for ours, theirs in zip(made, expected, strict=True)
    )
