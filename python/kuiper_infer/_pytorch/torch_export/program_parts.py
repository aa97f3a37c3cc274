# SPDX-License-Identifier: MIT
"""The inputs, weights and states of an exported program."""

from __future__ import annotations

from typing import Any

import torch
from torch.export.graph_signature import ConstantArgument, InputKind, InputSpec, OutputKind

from .graph_nodes import known_extent


def extents_of(program: torch.export.ExportedProgram) -> list[list[Any]]:
    """The extents of each tensor among the arguments; free ones are symbolic."""
    wanted = _user_inputs(program)
    nodes = [node for node in program.graph.nodes if node.name in wanted]
    return [
        [extent if (known := known_extent(extent)) is None else known for extent in node.meta["val"].shape]
        for node in nodes
    ]


def input_nodes(program: torch.export.ExportedProgram) -> list[str]:
    """The nodes of the model's inputs: the arguments, then the buffers that forward changes."""
    wanted = _user_inputs(program)
    arguments = [node.name for node in program.graph.nodes if node.name in wanted]
    return arguments + [spec.arg.name for spec in _changed_buffers(program)]


def _user_inputs(program: torch.export.ExportedProgram) -> set[str]:
    specs = program.graph_signature.input_specs
    return {
        spec.arg.name
        for spec in specs
        if spec.kind is InputKind.USER_INPUT and not isinstance(spec.arg, ConstantArgument)
    }


def _changed_buffers(program: torch.export.ExportedProgram) -> list[InputSpec]:
    """The buffers that the program changes, in the order of its outputs."""
    signature = program.graph_signature
    buffers = {spec.target: spec for spec in signature.input_specs if spec.kind is InputKind.BUFFER}
    return [buffers[spec.target] for spec in signature.output_specs if spec.kind is OutputKind.BUFFER_MUTATION]


def states_of(program: torch.export.ExportedProgram) -> dict[str, torch.Tensor]:
    """The changed buffers' values of before the export, by name."""
    return {str(spec.target): _tensor(program, spec).detach() for spec in _changed_buffers(program)}


def _tensor(program: torch.export.ExportedProgram, spec: InputSpec) -> Any:
    return program.state_dict.get(str(spec.target), program.constants.get(str(spec.target)))


def constants_of(program: torch.export.ExportedProgram) -> dict[str, torch.Tensor]:
    """The weights, buffers and constants of a program by node, without buffers that it changes."""
    changed = {spec.target for spec in _changed_buffers(program)}
    constants: dict[str, torch.Tensor] = {}
    for spec in program.graph_signature.input_specs:
        if spec.kind is InputKind.USER_INPUT or spec.target is None or spec.target in changed:
            continue
        tensor = _tensor(program, spec)
        if isinstance(tensor, torch.Tensor):
            constants[spec.arg.name] = tensor.detach()
    return constants


def code_constants_of(program: torch.export.ExportedProgram) -> dict[str, torch.Tensor]:
    """The constants in the module's code, such as torch.tensor(3.0), by node."""
    specs = program.graph_signature.input_specs
    names = {spec.arg.name for spec in specs if spec.kind is InputKind.CONSTANT_TENSOR}
    return {name: tensor for name, tensor in constants_of(program).items() if name in names}
