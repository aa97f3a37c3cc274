# SPDX-License-Identifier: MIT
"""Adds calls to a graph. What is known at the export is computed at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch._guards import detect_fake_mode

from .graph_nodes import is_pure, result_of

aten = torch.ops.aten

_MOST_ELEMENTS = 64
_ANDS = {aten.logical_and.default, aten.bitwise_and.Tensor, aten.__and__.Tensor}


class LoopError(ValueError):
    """A loop that cannot be written out."""


class GraphWriter:
    """Adds calls before a node of a graph."""

    def __init__(self, graph: torch.fx.Graph, constants: Mapping[str, torch.Tensor]) -> None:
        """`constants`: tensors by the names of their nodes."""
        self._graph = graph
        self._constants = constants
        self._known: dict[torch.fx.Node, torch.Tensor | None] = {}
        self._described: set[torch.fx.Node] = set()  # nodes whose descriptions are not those of the loop's body
        self._mode: Any = detect_fake_mode([node.meta.get("val") for node in graph.nodes if node.op == "placeholder"])
        self.place: torch.fx.Node = graph.output_node()

    def call(self, target: Any, *args: Any) -> torch.fx.Node:
        """Adds a call, and describes its result."""
        with self._graph.inserting_before(self.place):
            node = self._graph.call_function(target, args)
        self._describe(node)
        return node

    def copy(self, node: torch.fx.Node, args: Any, kwargs: Any) -> Any:
        """Adds a call like a node of another graph, with these arguments. Returns a number if only numbers occur."""
        nodes: list[torch.fx.Node] = []
        torch.fx.map_arg((args, kwargs), nodes.append)
        if not nodes and not isinstance(node.target, torch._ops.OpOverload):
            return node.target(*args, **kwargs)  # type: ignore[operator]
        with self._graph.inserting_before(self.place):
            made = self._graph.call_function(node.target, args, kwargs)  # type: ignore[arg-type]
        made.meta = dict(node.meta)
        if len(nodes) < len(node.all_input_nodes) or any(each in self._described for each in nodes):
            self._describe(made)
        return made

    def _describe(self, node: torch.fx.Node) -> None:
        args, kwargs = torch.fx.map_arg((node.args, node.kwargs), lambda each: each.meta["val"])
        with self._mode:
            node.meta["val"] = node.target(*args, **kwargs)  # type: ignore[operator]
        self._described.add(node)

    def value_of(self, value: Any) -> Any:
        """The number, or the small tensor that does not depend on inputs; None if it is not known at the export."""
        if not isinstance(value, torch.fx.Node):
            return value
        if value not in self._known:
            self._known[value] = self._computed(value)
        return self._known[value]

    def _computed(self, node: torch.fx.Node) -> torch.Tensor | None:
        known: Any = None
        if node.op == "placeholder":
            known = self._constants.get(node.name)
        elif is_pure(node):
            given = {each: self.value_of(each) for each in node.all_input_nodes}
            if all(each is not None for each in given.values()):
                known = result_of(node, given)
        return known if isinstance(known, torch.Tensor) and known.numel() <= _MOST_ELEMENTS else None

    def truth_of(self, condition: Any) -> bool | None:
        """Whether a condition holds; None if that depends on inputs."""
        known = self.value_of(condition)
        if known is not None:
            return None if isinstance(known, torch.SymBool) else bool(known)
        if condition.target in _ANDS and any(self.truth_of(each) is False for each in condition.args):
            return False
        return None
