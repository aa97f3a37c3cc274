# SPDX-License-Identifier: MIT
"""Translates PyTorch's graph into the operators of a model file."""

from __future__ import annotations

import collections
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.export.graph_signature import ConstantArgument, InputKind, OutputKind

from .call_arguments import arguments_of, is_computed
from .graph_nodes import identity_of, is_array, is_assertion, is_operator, live_nodes, operand_of
from .model_file import Operand, Operator
from .names import operator_names
from .schemas import takes_list, type_of
from .sizes import Expression, number_text
from .value_text import text_of

# The file has no words with blanks: those in an equation of einsum have no meaning, a message has no-break spaces.
_WORDS: dict[str, Callable[[str], str]] = {
    "equation": lambda text: text.replace(" ", ""),
    "assert_msg": lambda text: "\u00a0".join((text if text[:1].isalpha() else f"assertion {text}").split()),
}

Constants = Mapping[str, torch.Tensor]
StoredWeight = Mapping[str, torch.Tensor]
"""Attributes that stand for a weight, by the ending of their names: "" for its integers, then their parameters."""


class Translation:
    """The operators of a graph. The order of the nodes is kept."""

    def __init__(
        self,
        program: torch.export.ExportedProgram,
        inputs: Sequence[str],
        outputs: Sequence[str],
        constants: Constants,
        parameters: Sequence[dict[str, str]],
        stored: Mapping[Any, StoredWeight],
    ) -> None:
        """`inputs`, `outputs`: their names; `constants`: weights and so on by node; `parameters`: of each input;
        `stored`: what is written in place of weights, by their identity."""
        self.operators: list[Operator] = []
        self._program = program
        self._constants = constants
        self._stored = stored
        self._operands: dict[str, Operand] = {}  # by node
        self._attributes: dict[Any, Operand] = {}  # by the tensor's identity
        self._uses = collections.Counter(identity_of(tensor) for tensor in constants.values())
        specs = program.graph_signature.input_specs
        self._targets = {spec.arg.name: spec.target for spec in specs if spec.target is not None}  # by node
        self._live = live_nodes(program.graph)
        self._names = operator_names(node for node in self._live if is_operator(node))
        self._add_inputs(inputs, parameters)
        for node in self._live:
            if is_operator(node):
                self._add_call(node)
        self._add_outputs(outputs)

    def _add_inputs(self, names: Sequence[str], parameters: Sequence[dict[str, str]]) -> None:
        """Adds the arguments of forward and then the buffers that it changes."""
        nodes = {node.name: node for node in self._program.graph.nodes if node.op == "placeholder"}
        remaining = zip(names, parameters, strict=True)
        states = []
        for spec in self._program.graph_signature.input_specs:
            if isinstance(spec.arg, ConstantArgument) or spec.arg.name in self._constants:
                continue
            operand = self._new_operand(nodes[spec.arg.name])
            if spec.kind is InputKind.USER_INPUT:
                name, ranges = next(remaining)
                self.operators.append(Operator("pnnx.Input", name, outputs=[operand], parameters=ranges))
            else:
                states.append(Operator("pnnx.Input", str(spec.target), outputs=[operand]))
        self.operators.extend(states)

    def _add_outputs(self, names: Sequence[str]) -> None:
        """Adds what forward returns and then the changed buffers."""
        remaining = iter(names)
        states = []
        values: Any = self._program.graph.output_node().args[0]
        for spec, value in zip(self._program.graph_signature.output_specs, values, strict=True):
            if isinstance(spec.arg, ConstantArgument) or not isinstance(value, torch.fx.Node):
                continue
            if spec.kind is OutputKind.USER_OUTPUT:
                self.operators.append(Operator("pnnx.Output", next(remaining), inputs=[("", self._operand(value))]))
            elif spec.kind is OutputKind.BUFFER_MUTATION:
                states.append(Operator("pnnx.Output", f"{spec.target}.out", inputs=[("", self._operand(value))]))
        self.operators.extend(states)

    def _add_call(self, node: torch.fx.Node) -> None:
        overload = node.target
        assert isinstance(overload, torch._ops.OpOverload)
        made = Operator(type_of(overload), self._names[node.name])
        for name, value in arguments_of(node).items():
            self._add_argument(made, name, value)
        if is_assertion(node):
            pass  # it has no outputs
        elif isinstance(node.meta["val"], tuple | list):
            parts = {user.args[1]: user for user in node.users if user.target is operator.getitem}
            # A native normalisation computes statistics for further outputs only if the file has these.
            count = max(parts, default=0) + 1 if "native" in made.type else len(node.meta["val"])
            for index, value in enumerate(node.meta["val"][:count]):
                part = parts.get(index)
                if part is not None:
                    made.outputs.append(self._new_operand(part))
                else:
                    made.outputs.append(operand_of(f"{node.name}.{index}", value))
        else:
            made.outputs.append(self._new_operand(node))
        self.operators.append(made)

    def _add_argument(self, made: Operator, name: str, value: Any) -> None:
        if not is_computed(value):
            made.parameters[name] = text_of(_WORDS.get(name, lambda text: text)(value))
        elif isinstance(value, torch.fx.Node):
            tensor = self._constants.get(value.name)
            if tensor is not None and self._is_own(tensor, value):
                made.weights.update(self._weights_of(tensor, name))
            else:
                made.inputs.append((name, self._operand(value)))
        elif takes_list(made.type, name) and all(isinstance(item, torch.fx.Node) and is_array(item) for item in value):
            made.inputs.extend((name, self._operand(item)) for item in value)
        else:
            made.inputs.append((name, self._list(value, f"{made.name}.{name}")))

    def _weights_of(self, tensor: torch.Tensor, name: str) -> dict[str, torch.Tensor]:
        """What the file holds of a weight of that name: what is written in its place, or the weight itself."""
        parts = self._stored.get(identity_of(tensor), {"": tensor})
        return {f"{name}{ending}": part for ending, part in parts.items()}

    def _is_own(self, tensor: torch.Tensor, node: torch.fx.Node) -> bool:
        """Whether a weight is stored with the one operator that reads it."""
        half = tensor.dtype in (torch.float16, torch.bfloat16)  # readers widen an operator's own weights
        alone = self._uses[identity_of(tensor)] == 1
        return not half and alone and len([user for user in node.users if user in self._live]) == 1

    def _operand(self, node: torch.fx.Node) -> Operand:
        """The operand of a node; for a constant or a number, an operator is added that gives it."""
        if node.name in self._operands:
            return self._operands[node.name]
        tensor = self._constants.get(node.name)
        if tensor is not None:
            return self._attribute(node, tensor)
        expression = Expression()
        text = number_text(node, expression, self._leaf)
        self._operands[node.name] = self._expression(text, expression, node.name)
        return self._operands[node.name]

    def _attribute(self, node: torch.fx.Node, tensor: torch.Tensor) -> Operand:
        if identity_of(tensor) not in self._attributes:
            operand = operand_of(node.name, tensor)
            name = self._targets.get(node.name, node.name)
            weights = self._weights_of(tensor, "data")
            self.operators.append(Operator("pnnx.Attribute", name, outputs=[operand], weights=weights))
            self._attributes[identity_of(tensor)] = operand
        return self._attributes[identity_of(tensor)]

    def _list(self, items: Sequence[Any], name: str) -> Operand:
        """An operand for a list of which some items are computed."""
        expression = Expression()
        texts = [
            expression.operand(item)
            if isinstance(item, torch.fx.Node) and is_array(item)
            else number_text(item, expression, self._leaf)
            for item in items
        ]
        return self._expression(f"[{','.join(texts)}]", expression, name)

    def _leaf(self, node: torch.fx.Node, expression: Expression) -> str:
        """The text of a number that the file's functions do not compute: a size, or an operand."""
        if node.target is torch.ops.aten.sym_size.int:
            array, axis = node.args
            return f"size({expression.operand(array)},{axis})"
        return expression.operand(node)

    def _expression(self, text: str, expression: Expression, name: str) -> Operand:
        inputs = [("", self._operand(node)) for node in expression.operands]
        operand = Operand(name)
        self.operators.append(Operator("pnnx.Expression", name, inputs, [operand], {"expr": text}))
        return operand

    def _new_operand(self, node: torch.fx.Node) -> Operand:
        self._operands[node.name] = operand_of(node.name, node.meta["val"])
        return self._operands[node.name]
