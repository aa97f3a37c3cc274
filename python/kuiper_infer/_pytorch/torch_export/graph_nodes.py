# SPDX-License-Identifier: MIT
"""What the nodes of PyTorch's graph stand for."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import torch

from .model_file import Operand
from .sizes import is_function_of_sizes

# Without the copies that were left out of a graph, an array may not lie so in memory that it has such a view.
_VIEWS = {torch.ops.aten.view.default, torch.ops.aten._unsafe_view.default}
_ASSERTIONS = {
    torch.ops.aten._assert_scalar.default,
    torch.ops.aten._assert_async.default,
    torch.ops.aten._assert_async.msg,
    torch.ops.aten.sym_constrain_range.default,
    torch.ops.aten.sym_constrain_range_for_size.default,
}


def identity_of(tensor: torch.Tensor) -> Any:
    """Returns a key that is equal for two tensors if they are one array in memory, such as a weight of two modules."""
    return tensor.data_ptr() if tensor.numel() else id(tensor), tensor.shape, tensor.stride(), tensor.dtype


def operand_of(name: str, value: Any) -> Operand:
    if not isinstance(value, torch.Tensor):
        return Operand(name)
    return Operand(name, value.dtype, tuple(map(known_extent, value.shape)))


def known_extent(extent: Any) -> int | None:
    """An extent as a number; None if it is free."""
    if isinstance(extent, int):
        return extent
    return int(extent.node.expr) if extent.node.expr.is_number else None


def is_array(node: torch.fx.Node) -> bool:
    return isinstance(node.meta.get("val"), torch.Tensor)


def is_operator(node: torch.fx.Node) -> bool:
    """Whether the node becomes a line of its own: sizes and parts of results don't."""
    if node.op != "call_function" or node.target is operator.getitem or is_function_of_sizes(node.target):
        return False
    return node.target is not torch.ops.aten.sym_size.int


def is_pure(node: torch.fx.Node) -> bool:
    """Whether the node is a call of PyTorch's own operators whose result depends on its arguments alone."""
    target = node.target
    if not isinstance(target, torch._ops.OpOverload) or target.namespace != "aten":
        return False
    return not target._schema.is_mutable and torch.Tag.nondeterministic_seeded not in target.tags


def result_of(node: torch.fx.Node, values: Mapping[torch.fx.Node, Any]) -> Any:
    """Runs a call with the values of its arguments."""
    args, kwargs = torch.fx.map_arg((node.args, node.kwargs), values.__getitem__)
    function: Any = torch.ops.aten.reshape.default if node.target in _VIEWS else node.target
    return function(*args, **kwargs)


def live_nodes(graph: torch.fx.Graph) -> dict[torch.fx.Node, None]:
    """The nodes that an output or an assertion depends on, in the order of the graph."""
    reached = {graph.output_node(), *filter(is_assertion, graph.nodes)}
    for node in reversed(graph.nodes):
        if node in reached:
            reached.update(node.all_input_nodes)
    return {node: None for node in graph.nodes if node in reached}


def is_assertion(node: torch.fx.Node) -> bool:
    """Whether a node checks something that the file can express."""
    return node.target in _ASSERTIONS and is_written(node.args[0])


def is_written(value: Any) -> bool:
    """Whether a number is computed by functions of the file from sizes, elements and constants."""
    if not isinstance(value, torch.fx.Node) or isinstance(value.target, torch._ops.OpOverload):
        return True
    return value.op == "placeholder" or (is_function_of_sizes(value.target) and all(map(is_written, value.args)))
