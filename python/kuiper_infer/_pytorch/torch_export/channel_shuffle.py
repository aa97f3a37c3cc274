# SPDX-License-Identifier: MIT
"""Finds channel shuffles that are written as a reshape, a transposition and a reshape."""

from __future__ import annotations

import torch

aten = torch.ops.aten
_RESHAPES = {aten.view.default, aten.reshape.default, aten._unsafe_view.default}


def find_channel_shuffles(graph: torch.fx.Graph) -> None:
    """Writes (N,C,...) -> (N,groups,C/groups,...) -> (N,C/groups,groups,...) -> (N,C,...) as one operator."""
    for node in list(graph.nodes):
        swap = _argument_of(node, _RESHAPES)
        split = _argument_of(swap, {aten.transpose.int}) if swap is not None else None
        if (
            swap is None
            or split is None
            or split.target not in _RESHAPES
            or not isinstance(split.args[0], torch.fx.Node)
        ):
            continue
        source = split.args[0]
        given, apart, made = (each.meta["val"].shape for each in (source, split, node))
        whole = list(map(str, given)) == list(map(str, made)) and len(apart) == len(given) + 1 >= 4
        if not whole or {axis % len(apart) for axis in swap.args[1:]} != {1, 2}:
            continue
        kept = list(map(str, apart[3:])) == list(map(str, given[2:])) and str(apart[0]) == str(given[0])
        if not kept or not isinstance(apart[1], int):
            continue
        with graph.inserting_before(node):
            shuffled = graph.call_function(aten.channel_shuffle.default, (source, apart[1]))
        shuffled.meta = dict(node.meta)
        node.replace_all_uses_with(shuffled)
        for each in (node, swap, split):
            graph.erase_node(each)


def _argument_of(node: torch.fx.Node, targets: set[object]) -> torch.fx.Node | None:
    """The first argument of a node with one of these targets, if nothing else reads it."""
    if node.target not in targets or not isinstance(node.args[0], torch.fx.Node):
        return None
    return node.args[0] if len(node.args[0].users) == 1 else None
