# SPDX-License-Identifier: MIT
"""Computes arrays that code makes of numbers and then writes in place, as the masks of shifted windows are made.

With such writes left in the graph, PyTorch would have to trace the whole program a second time to remove them.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import torch
from torch.export.graph_signature import InputKind, InputSpec, TensorArgument

from .fold_constants import MOST_STORED, computed
from .functional import writes
from .graph_nodes import result_of
from .program_parts import code_constants_of
from .simplify import COPIES

Constants = dict[str, torch.Tensor]
"""The constants in the module's code, by node."""


def compute_written_constants(program: torch.export.ExportedProgram) -> None:
    """Replaces each array that is made of numbers, and into which nothing but constants is written, by its last values.

    An array that is read between the writes stays as it is.
    """
    constants = code_constants_of(program)
    for node in list(program.graph.nodes):
        aliases = _Aliases.of(node)
        if aliases.writes and (value := aliases.last_value(constants)) is not None:
            node.replace_all_uses_with(_add_constant(program, f"{node.name}_written", value))
            for write in aliases.writes:
                write.replace_all_uses_with(write.args[0])
                program.graph.erase_node(write)
            program.graph.erase_node(node)


@dataclasses.dataclass(frozen=True)
class _Aliases:
    """What stands for one array until the last write into it."""

    made_by: torch.fx.Node
    others: list[torch.fx.Node]  #: views of the array and writes into it, in the order of the graph
    writes: list[torch.fx.Node]

    @classmethod
    def of(cls, node: torch.fx.Node) -> _Aliases:
        """Follows the array through the graph. A view that is made after the last write is a reader."""
        found = {node}
        remaining = list(node.users)
        while remaining:
            user = remaining.pop()
            if user not in found and user.args and user.args[0] in found and _gives_alias(user):
                found.add(user)
                remaining.extend(user.users)
        changes = sorted(filter(writes, found - {node}))
        others = sorted(each for each in found - {node} if changes and not changes[-1] < each)
        return cls(node, others, changes)

    def last_value(self, constants: Constants) -> torch.Tensor | None:
        """The array after the last write; None if it depends on anything but constants, or is read before."""
        own = {self.made_by, *self.others}
        last = self.writes[-1]
        if any(user not in own and user < last for each in own for user in each.users):
            return None
        made = computed(self.made_by, {})
        if not isinstance(made, torch.Tensor) or made.nbytes > MOST_STORED:
            return None
        values: dict[torch.fx.Node, Any] = {self.made_by: made}
        for node in self.others:
            for argument in node.all_input_nodes:
                if argument not in own:
                    values[argument] = _constant(argument, constants)
                if values[argument] is None:
                    return None
            values[node] = result_of(node, values)
            if not _shares_memory(values[node], made):
                return None
        return made


def _shares_memory(value: Any, array: torch.Tensor) -> bool:
    return isinstance(value, torch.Tensor) and value.untyped_storage().data_ptr() == array.untyped_storage().data_ptr()


def _gives_alias(node: torch.fx.Node) -> bool:
    """Whether the node's only result is a view of its first argument, or that argument after a write."""
    target = node.target
    if not isinstance(target, torch._ops.OpOverload) or len(target._schema.returns) != 1:
        return False
    return target._schema.returns[0].alias_info is not None


def _constant(node: torch.fx.Node, constants: Constants) -> Any:
    """The value of a constant or of a copy of one, into which nothing is written; else None."""
    if any(writes(user) and user.args[0] is node for user in node.users):
        return None
    if node.target in COPIES:
        return _constant(node.args[0], constants)  # type: ignore[arg-type]
    return constants.get(node.name)


def _add_constant(program: torch.export.ExportedProgram, name: str, value: torch.Tensor) -> torch.fx.Node:
    """Returns a new argument of the program that is a constant of it."""
    graph, specs = program.graph, program.graph_signature.input_specs
    arguments = {node.name: node for node in graph.nodes if node.op == "placeholder"}
    place = next((index for index, spec in enumerate(specs) if spec.kind is InputKind.USER_INPUT), len(specs))
    before = arguments[specs[place].arg.name] if place < len(specs) else next(iter(graph.nodes))
    with graph.inserting_before(before):
        node = graph.placeholder(name)
    node.meta["val"] = torch.empty_like(value, device="meta")
    specs.insert(place, InputSpec(InputKind.CONSTANT_TENSOR, TensorArgument(node.name), node.name, None))
    program.constants[node.name] = value
    return node
