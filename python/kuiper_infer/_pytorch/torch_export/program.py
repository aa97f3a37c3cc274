# SPDX-License-Identifier: MIT
"""Makes PyTorch's graph of a module: functional, with free sizes, of operators that the library has."""

from __future__ import annotations

from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor

from ..calls import Call
from .call_arguments import arguments_of
from .constant_writes import compute_written_constants
from .control_flow import inline_calls
from .decompositions import UnsupportedOperators, rule_of
from .functional import remove_writes, writes
from .known_numbers import KnownNumbers
from .program_parts import constants_of
from .recurrent import whole_recurrent_layers
from .schemas import takes, type_of
from .simplify import is_dropped
from .split_axes import SplitArguments

FreeAxes = dict[int, list[int]]
"""The axes whose extents are free, by the number of the tensor among the inputs."""


def export_program(module: torch.nn.Module, call: Call, dynamic_shapes: Any) -> torch.export.ExportedProgram:
    """Returns the module's graph. Raises what PyTorch raises if it cannot export the module."""
    positional, keywords = call.arguments([tensor.detach().clone() for tensor in call.tensors])
    if isinstance(dynamic_shapes, dict) and all(isinstance(key, int) for key in dynamic_shapes):
        shapes = torch.export.ShapesCollection()
        tensors = [
            leaf for leaf in torch.utils._pytree.tree_leaves((positional, keywords)) if isinstance(leaf, torch.Tensor)
        ]
        for index, axes in dynamic_shapes.items():
            shapes[tensors[index]] = dict.fromkeys(axes, torch.export.Dim.AUTO)
        dynamic_shapes = shapes
    split = SplitArguments(module, positional, keywords, dynamic_shapes)
    with whole_recurrent_layers(), split.joined_in(module):
        try:
            with KnownNumbers():
                program = _exported(module, split, strict=False)
        except Exception as error:
            try:
                program = _exported(module, split, strict=True)
            except Exception:
                raise error from None
            if _writes_data(program):
                raise
    split.join_in(program)
    return program


def _exported(module: torch.nn.Module, split: SplitArguments, strict: bool) -> torch.export.ExportedProgram:
    """Returns the graph of the calls that Python makes or, if `strict`, the one that PyTorch reads from the bytecode.

    PyTorch takes longer to read bytecode, but takes some code whose calls it refuses: an extent `int(x.max()) + 1`.
    """
    with torch._dynamo.config.patch(allow_rnn=True):
        return torch.export.export(
            module, split.positional, split.keywords, dynamic_shapes=split.dynamic_shapes, strict=strict
        )


def _writes_data(program: torch.export.ExportedProgram) -> bool:
    """Whether the module writes into `data` of a parameter. PyTorch itself crashes if it goes on with such a graph."""
    parameters = {*program.graph_signature.inputs_to_parameters}
    written = {
        node.args[0].name for node in program.graph.nodes if writes(node) and isinstance(node.args[0], torch.fx.Node)
    }
    return bool(parameters & written) or any(isinstance(each, FakeTensor) for each in program.constants.values())


def prepared(program: torch.export.ExportedProgram) -> torch.export.ExportedProgram:
    """Returns the program without writes, with the branches in its graph, and of operators that the library has.

    An operator that the library lacks is taken apart as PyTorch takes it apart.
    """
    # PyTorch writes checks of sizes as code, which it cannot run for arguments in caches of transformers.
    program._guards_code = []
    compute_written_constants(program)
    if remove_writes(program.graph_module) and all(is_dropped(node) or _is_known(node) for node in program.graph.nodes):
        return program
    known = torch.export.default_decompositions()
    program = program.run_decompositions({})
    inline_calls(program.graph_module, constants_of(program))
    while True:
        unknown = {node.target for node in program.graph.nodes if not _is_known(node)}
        if not unknown:
            return program
        rules = {target: rule for target in unknown if (rule := rule_of(target, known)) is not None}
        if len(rules) < len(unknown):
            raise UnsupportedOperators(str(target) for target in unknown if target not in rules)
        program = program.run_decompositions(rules)
        inline_calls(program.graph_module, constants_of(program))


def _is_known(node: torch.fx.Node) -> bool:
    if not isinstance(node.target, torch._ops.OpOverload):
        return not isinstance(node.target, torch._ops.HigherOrderOperator)
    if not node.users:
        return True
    return node.target is torch.ops.aten.sym_size.int or takes(type_of(node.target), arguments_of(node))
