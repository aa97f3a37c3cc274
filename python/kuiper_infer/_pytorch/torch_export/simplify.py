# SPDX-License-Identifier: MIT
"""Leaves out what changes nothing in a graph without writes: copies, casts to the same type, whole slices."""

from __future__ import annotations

from typing import Any

import torch

aten = torch.ops.aten


def drop_identities(graph: torch.fx.Graph) -> None:
    """Removes operators whose result is their first argument, and assertions about element types."""
    for node in list(graph.nodes):
        if _is_assertion(node):
            graph.erase_node(node)
        elif _is_identity(node):
            node.replace_all_uses_with(node.args[0])
            graph.erase_node(node)
        elif node.target is aten.cat.default:
            _drop_empty_parts(node)


def _drop_empty_parts(node: torch.fx.Node) -> None:
    """Leaves arrays of shape (0) out of a concatenation, as caches have them before the first token."""
    parts = [part for part in node.args[0] if list(map(_extent, part.meta["val"].shape)) != [0]]
    if not parts or len(parts) == len(node.args[0]):
        return
    if any(part.meta["val"].dtype != node.meta["val"].dtype for part in parts):
        return  # the empty array gave the result its type
    if len(parts) > 1:
        node.args = (parts, *node.args[1:])
    else:
        node.replace_all_uses_with(parts[0])
        node.graph.erase_node(node)


def is_dropped(node: torch.fx.Node) -> bool:
    """Whether `drop_identities` removes the node."""
    return _is_assertion(node) or _is_identity(node)


def _is_assertion(node: torch.fx.Node) -> bool:
    return node.target is aten._assert_tensor_metadata.default


COPIES = {
    aten.alias.default,
    aten.clone.default,
    aten.contiguous.default,
    aten.detach.default,
    aten.detach_.default,
    aten.lift_fresh_copy.default,
    aten.positive.default,
}
# An identity where the result has the type and the shape of the argument.
_CONVERSIONS = {
    aten._to_copy.default,
    aten.to.dtype,
    aten.to.dtype_layout,
    aten.to.other,
    aten.type_as.default,
    aten._unsafe_view.default,
    aten.view.default,
    aten.reshape.default,
    aten.expand.default,
    aten.slice.Tensor,
}
_DROPOUTS = {
    getattr(aten, f"{name}{suffix}").default
    for name in ("dropout", "feature_dropout", "alpha_dropout")
    for suffix in ("", "_")
}


def _is_identity(node: torch.fx.Node) -> bool:
    if node.op != "call_function" or not node.args or not isinstance(node.args[0], torch.fx.Node):
        return False
    if node.target in COPIES:
        return True
    if node.target in _DROPOUTS:
        return node.args[2] is False
    if node.target is aten.slice.Tensor and len(node.args) == 5 and node.args[4] != 1:
        return False
    return node.target in _CONVERSIONS and _same_spec(node.args[0].meta.get("val"), node.meta["val"])


def _same_spec(given: Any, made: Any) -> bool:
    """Whether two arrays have the same type and, whatever the free extents are, the same shape."""
    if not isinstance(given, torch.Tensor) or not isinstance(made, torch.Tensor):
        return False
    return given.dtype == made.dtype and list(map(_extent, given.shape)) == list(map(_extent, made.shape))


def _extent(extent: Any) -> Any:
    return extent if isinstance(extent, int) else extent.node.expr


class Weights:
    """The constant tensors of a graph by node, which simplifications may replace."""

    def __init__(self, graph: torch.fx.Graph, tensors: dict[str, torch.Tensor]) -> None:
        self.graph = graph
        self.tensors = tensors

    def of(self, node: Any) -> torch.Tensor | None:
        """The tensor of a constant node; None for other nodes and None."""
        return self.tensors.get(node.name) if isinstance(node, torch.fx.Node) else None

    def add(self, name: str, tensor: torch.Tensor) -> torch.fx.Node:
        """Returns a new node for a tensor."""
        first = next(iter(self.graph.nodes))
        with self.graph.inserting_before(first):
            node = self.graph.placeholder(name)
        node.meta["val"] = torch.empty_like(tensor, device="meta")
        self.tensors[node.name] = tensor
        return node
