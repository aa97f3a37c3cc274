# SPDX-License-Identifier: MIT
"""Writes a module's files by way of torch.export."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from ..._states import State
from ..calls import Call
from .channel_shuffle import find_channel_shuffles
from .fixed_extents import recorded_reasons
from .fold_batch_norm import fold_batch_norms
from .fold_constants import fold_constants
from .graph_reference import GraphReference
from .guards import add_assertions, conditions_of
from .lowest_sizes import lowest_sizes
from .model_file import write
from .names import input_names, output_names
from .program import export_program, prepared
from .program_parts import constants_of, extents_of, input_nodes, states_of
from .ranges import LowestSizes, range_parameters
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
    lowest = lowest_sizes(program, module, call, extents)
    own_names = input_names(module, call)
    add_assertions(program, conditions, own_names)
    inputs, outputs = names[0] or own_names, names[1] or output_names(result)
    made = write_program(program, inputs, outputs, lowest, stem, additions)
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
    lowest: LowestSizes,
    stem: pathlib.Path,
    additions: Additions = NOTHING,
) -> Written:
    """Writes the files of an exported program."""
    weights = Weights(program.graph, constants_of(program))
    drop_identities(program.graph)
    fold_batch_norms(weights)
    fold_constants(program, weights)
    find_channel_shuffles(program.graph)
    extents, ranges = extents_of(program), dict(program.range_constraints)
    parameters = range_parameters(extents, ranges, lowest)
    translation = Translation(program, inputs, outputs, weights.tensors, parameters, additions.stored)
    states = states_of(program)
    pairs = {**cache_states(translation.operators), **additions.states}
    mark_states(translation.operators, pairs, states)
    write(translation.operators, stem)
    reference = GraphReference(program.graph, weights.tensors, input_nodes(program), len(states))
    return Written(reference, list(inputs), extents, ranges, states)
