# SPDX-License-Identifier: MIT
"""Runs PyTorch's graph of a module, node by node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from ..calls import to_numpy
from .graph_nodes import result_of


class GraphReference:
    """The graph that a file was written from. Its nodes have the names of the file's operands."""

    fault = "PyTorch's own graph of the module departs, too: a fault of torch.export's"

    def __init__(
        self, graph: torch.fx.Graph, constants: Mapping[str, torch.Tensor], inputs: Sequence[str], states: int
    ) -> None:
        """`inputs`: the nodes of the model's inputs, in order; `constants`: tensors by node.

        `states`: how many states the graph gives. They are its first outputs, and the last ones of the model.
        """
        self._graph = graph
        self._constants = constants
        self._inputs = inputs
        self._states = states

    def outputs(self, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        values = {node.name: value for node, value in self._run(inputs)}
        results: Any = self._graph.output_node().args[0]
        nodes = [node for node in results if isinstance(node, torch.fx.Node)]
        return [values[node.name] for node in [*nodes[self._states :], *nodes[: self._states]]]

    def operands(self, inputs: Sequence[torch.Tensor]) -> Iterator[tuple[str, np.ndarray, str]]:
        for node, value in self._run(inputs):
            if node.op == "call_function" and isinstance(value, torch.Tensor):
                yield node.name, to_numpy(value), _line(node)

    def _run(self, inputs: Sequence[torch.Tensor]) -> Iterator[tuple[torch.fx.Node, Any]]:
        values: dict[torch.fx.Node, Any] = {}
        given = dict(zip(self._inputs, inputs, strict=True))
        with torch.no_grad():
            for node in self._graph.nodes:
                if node.op == "placeholder":
                    value = given.get(node.name, self._constants.get(node.name))
                elif node.op == "call_function":
                    value = result_of(node, values)
                else:
                    continue
                values[node] = value
                yield node, value


def _line(node: torch.fx.Node) -> str:
    """The user's line of code that made the node or, where PyTorch did not record it, the node."""
    trace = str(node.meta.get("stack_trace") or "").strip().splitlines()
    if len(trace) >= 2:
        return f"{trace[-2].strip()}: {trace[-1].strip()}"
    return str(node.format_node() or node.name)
