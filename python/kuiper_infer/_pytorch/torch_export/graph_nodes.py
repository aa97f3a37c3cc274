# SPDX-License-Identifier: MIT
"""What the nodes of PyTorch's graph stand for."""

from __future__ import annotations

import operator
from typing import Any

import torch

from .model_file import Operand
from .sizes import is_function_of_sizes


def identity_of(tensor: torch.Tensor) -> Any:
    """The same for two tensors with the same elements in the same memory: weights that modules share."""
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


def live_nodes(graph: torch.fx.Graph) -> dict[torch.fx.Node, None]:
    """The nodes that an output depends on, in the order of the graph."""
    reached = {graph.output_node()}
    for node in reversed(graph.nodes):
        if node in reached:
            reached.update(node.all_input_nodes)
    return {node: None for node in graph.nodes if node in reached}
