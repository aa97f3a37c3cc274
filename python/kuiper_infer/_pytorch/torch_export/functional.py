# SPDX-License-Identifier: MIT
"""Replaces simple writes in place by operators without writes.

PyTorch's own way traces the whole program a second time, which takes as long as the export itself.
"""

from __future__ import annotations

from typing import Any

import torch

from .simplify import is_dropped

aten = torch.ops.aten

# Writes into the first argument whose counterparts without "_" give a result of that argument's type and shape, if all
# tensors among the arguments have the same floating-point type.
_WRITES = frozenset(
    f"aten::{name}_"
    for name in (
        *("add", "sub", "mul", "div", "relu", "relu6", "silu", "gelu", "elu", "celu", "selu", "mish", "leaky_relu"),
        *("hardswish", "hardsigmoid", "hardtanh", "sigmoid", "tanh", "exp", "clamp", "clamp_min", "clamp_max", "neg"),
    )
)
# Composite operators whose results are new arrays, or a number.
_COMPOSITES = {
    aten.sym_size.int,
    aten.conv1d.default,
    aten.conv2d.default,
    aten.conv3d.default,
    aten.conv_transpose2d.input,
    aten.linear.default,
    aten.matmul.default,
    aten.batch_norm.default,
    aten.layer_norm.default,
    aten.group_norm.default,
    aten.instance_norm.default,
    aten.max_pool2d.default,
    aten.adaptive_avg_pool2d.default,
}


def remove_writes(graph_module: torch.fx.GraphModule) -> bool:
    """Replaces what writes into an array that nothing else stands for. Returns whether the graph then has no writes."""
    graph = graph_module.graph
    places = {node: place for place, node in enumerate(graph.nodes)}
    functional = True
    for node in list(graph.nodes):
        if isinstance(node.target, torch._ops.HigherOrderOperator):
            functional = False
        elif writes(node):
            functional = _replace(graph, node, places) and functional
    graph_module.recompile()
    return functional


def writes(node: torch.fx.Node) -> bool:
    """Whether the node changes an argument."""
    target = node.target
    return isinstance(target, torch._ops.OpOverload) and target._schema.is_mutable and not is_dropped(node)


def _replace(graph: torch.fx.Graph, node: torch.fx.Node, places: dict[torch.fx.Node, int]) -> bool:
    target: Any = node.target
    written: Any = node.args[0]
    readers = [user for user in written.users if user is not node and places[user] < places[node]]
    if target._schema.name not in _WRITES or not _of_one_type(node) or not all(map(_gives_new, [written, *readers])):
        return False
    packet = getattr(aten, target._schema.name.removeprefix("aten::").removesuffix("_"))
    with graph.inserting_before(node):
        made = graph.call_function(getattr(packet, target._overloadname), node.args, dict(node.kwargs))
    made.meta = dict(node.meta)
    places[made] = places[node]
    node.replace_all_uses_with(made)
    graph.erase_node(node)
    written.replace_all_uses_with(made, delete_user_cb=lambda user: places[user] > places[made])
    return True


def _of_one_type(node: torch.fx.Node) -> bool:
    tensors = [each.meta["val"] for each in node.all_input_nodes if isinstance(each.meta.get("val"), torch.Tensor)]
    types = {tensor.dtype for tensor in tensors}
    return len(types) == 1 and types.pop().is_floating_point


def _gives_new(node: torch.fx.Node) -> bool:
    """Whether the node's result shares no memory with another array."""
    target = node.target
    if not isinstance(target, torch._ops.OpOverload):
        return False
    composite = torch._C._dispatch_has_kernel_for_dispatch_key(target.name(), "CompositeImplicitAutograd")
    aliases = any(each.alias_info is not None for each in (*target._schema.arguments, *target._schema.returns))
    return target in _COMPOSITES or not (composite or aliases)
