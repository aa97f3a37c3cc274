# SPDX-License-Identifier: MIT
"""Puts the graphs of branches, loops, scopes and attention into the graph that calls them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from .flex_attention import write_flex_attention
from .graph_writer import GraphWriter, LoopError
from .loops import Undecided, choice, unroll_map, unroll_scan, unroll_while

_LOOPS: dict[str, Callable[..., list[Any]]] = {"scan": unroll_scan, "map_impl": unroll_map, "while_loop": unroll_while}
_SCOPES = ("wrap_with_set_grad_enabled", "wrap_with_autocast")


def inline_calls(graph_module: torch.fx.GraphModule, constants: Mapping[str, torch.Tensor]) -> None:
    """Replaces torch.cond by both branches and a choice between their results, loops by their steps, scopes without
    effect by their body, and flex_attention by its products and by functions of all scores.

    `constants`: tensors by the names of their nodes. Both branches are computed. They are functions of the same
    arguments without effects, and PyTorch demands that their results have the same types and shapes.
    """
    graph = graph_module.graph
    inliner: _Inliner | None = None
    for node in list(graph.nodes):
        if not isinstance(node.target, torch._ops.HigherOrderOperator):
            continue
        inliner = inliner or _Inliner(GraphWriter(graph, constants))
        inliner.writer.place = node
        args = torch.fx.map_arg(node.args, lambda each: _attribute(graph_module, each))
        results = inliner.expand(node.target.name(), args)
        if results is None:
            continue
        for user in list(node.users):
            if user.target is not operator.getitem:
                raise ValueError(f"a {node.target.name()} whose result is used as a whole is not supported")
            result = results[user.args[1]]
            if isinstance(result, Undecided) and user.users:
                raise LoopError(
                    "a number that a while_loop counts until its data end it is not supported: count in a tensor"
                )
            user.replace_all_uses_with(result)
            graph.erase_node(user)
        graph.erase_node(node)


def _attribute(owner: torch.fx.GraphModule, node: torch.fx.Node) -> Any:
    """The graph or tensor that a node reads from its module; other nodes stay."""
    return getattr(owner, str(node.target)) if node.op == "get_attr" else node


class _Inliner:
    """Writes bodies of higher-order operators into the graph."""

    def __init__(self, writer: GraphWriter) -> None:
        self.writer = writer

    def expand(self, name: str, args: Sequence[Any]) -> list[Any] | None:
        """The results of a higher-order operator; None if it is not known."""
        if name == "cond":
            condition, if_true, if_false, operands = args
            branches = zip(self._run(if_true, operands), self._run(if_false, operands), strict=True)
            return [choice(self.writer, condition, *pair) for pair in branches]
        if name in _LOOPS:
            return _LOOPS[name](self.writer, self._run, *args)
        if name == "flex_attention":
            return write_flex_attention(self.writer, self._run, *args)
        if name in _SCOPES and (name != "wrap_with_autocast" or args[2] is False):
            body = next(index for index, each in enumerate(args) if isinstance(each, torch.fx.GraphModule))
            return self._run(args[body], args[body + 1 :])
        return None

    def _run(self, body: torch.fx.GraphModule, arguments: Sequence[Any]) -> list[Any]:
        """Writes the nodes of a body, and returns its results."""
        remaining = iter(arguments)
        values: dict[torch.fx.Node, Any] = {}
        for node in body.graph.nodes:
            args, kwargs = torch.fx.map_arg((node.args, node.kwargs), values.__getitem__)
            if node.op == "placeholder":
                values[node] = next(remaining)
            elif node.op == "get_attr":
                values[node] = _attribute(body, node)
            elif node.op == "output":
                return list(args[0]) if isinstance(args[0], tuple | list) else [args[0]]
            elif node.target is operator.getitem and isinstance(args[0], list):
                values[node] = args[0][args[1]]
            elif isinstance(node.target, torch._ops.HigherOrderOperator):
                values[node] = self.expand(node.target.name(), args)
                if values[node] is None:
                    raise ValueError(f"{node.target.name()} inside of a branch or a loop is not supported")
            else:
                values[node] = self.writer.copy(node, args, kwargs)
        raise AssertionError("a graph has an output")
