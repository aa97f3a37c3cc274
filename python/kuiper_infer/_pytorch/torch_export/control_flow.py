# SPDX-License-Identifier: MIT
"""Puts the graphs of branches and of scopes into the graph that calls them."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import torch

aten = torch.ops.aten
_SCOPES = ("wrap_with_set_grad_enabled", "wrap_with_autocast")


def inline_calls(graph_module: torch.fx.GraphModule) -> None:
    """Replaces torch.cond by both branches and a choice between their results, and scopes without effect by their body.

    Both branches are computed. They are functions of the same arguments without effects, and PyTorch demands that their
    results have the same types and shapes.
    """
    graph = graph_module.graph
    for node in list(graph.nodes):
        name = node.target.name() if isinstance(node.target, torch._ops.HigherOrderOperator) else ""
        if name == "cond":
            condition, if_true, if_false, operands = node.args
            taken = _inline(graph_module, node, if_true, operands)
            other = _inline(graph_module, node, if_false, operands)
            with graph.inserting_before(node):
                results = [_choice(graph, condition, *pair) for pair in zip(taken, other, strict=True)]
        elif name in _SCOPES and (name != "wrap_with_autocast" or node.args[2] is False):
            body = next(index for index, each in enumerate(node.args) if _is_graph(each))
            results = _inline(graph_module, node, node.args[body], node.args[body + 1 :])
        else:
            continue
        for user in list(node.users):
            if user.target is not operator.getitem:
                raise ValueError(f"a {name} whose result is used as a whole is not supported")
            user.replace_all_uses_with(results[user.args[1]])
            graph.erase_node(user)
        graph.erase_node(node)


def _is_graph(value: Any) -> bool:
    return isinstance(value, torch.fx.Node) and value.op == "get_attr"


def _inline(
    graph_module: torch.fx.GraphModule, node: torch.fx.Node, body: torch.fx.Node, arguments: Sequence[Any]
) -> list[Any]:
    """Copies the nodes of a body before the node that calls it, and returns what they give."""
    inner = graph_module.get_submodule(str(body.target))
    assert isinstance(inner, torch.fx.GraphModule)
    inline_calls(inner)
    placeholders = [each for each in inner.graph.nodes if each.op == "placeholder"]
    values = dict(zip(placeholders, arguments, strict=True))
    with graph_module.graph.inserting_before(node):
        for each in inner.graph.nodes:
            if each.op == "call_function":
                values[each] = graph_module.graph.node_copy(each, values.__getitem__)
                values[each].meta = dict(each.meta)
    results: Any = inner.graph.output_node().args[0]
    return [values.get(each, each) if isinstance(each, torch.fx.Node) else each for each in results]


def _choice(graph: torch.fx.Graph, condition: Any, taken: Any, other: Any) -> Any:
    """`taken` where the condition is true, `other` elsewhere."""
    if taken is other:
        return taken
    chosen = graph.call_function(aten.where.self, (condition, taken, other))
    chosen.meta["val"] = taken.meta["val"]
    return chosen
