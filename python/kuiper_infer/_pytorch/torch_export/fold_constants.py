# SPDX-License-Identifier: MIT
"""Computes at the export what depends on neither inputs nor weights, such as the masks of shifted windows."""

from __future__ import annotations

import operator
from typing import Any

import torch

from .graph_nodes import is_pure, known_extent, result_of
from .program_parts import code_constants_of
from .simplify import Weights

aten = torch.ops.aten

MOST_STORED = 1 << 20  # bytes of an array that the file gets in place of the operators that make it
_MOST_COMPUTED = 1 << 24  # bytes of an array on the way to it

# Operators that read no more of their first argument than its shape and type.
_LIKE = {
    getattr(aten, name).default
    for name in ("new_zeros", "new_ones", "new_full", "new_empty", "zeros_like", "ones_like", "full_like", "empty_like")
}


def fold_constants(program: torch.export.ExportedProgram, weights: Weights) -> None:
    """Replaces by one array what two or more operators make of numbers and of the constants in the module's code."""
    constants = code_constants_of(program)
    known: dict[torch.fx.Node, Any] = {}
    for node in weights.graph.nodes:
        value = weights.of(node) if node.name in constants else computed(node, known)
        if value is not None:
            known[node] = value
    stored: dict[Any, torch.fx.Node] = {}
    for node, value in list(known.items())[::-1]:
        if all(user in known for user in node.users):
            continue  # what reads it is stored, or is read by nothing
        if not isinstance(value, torch.Tensor) or _bytes(value) > MOST_STORED or not _is_made_of_made(node, known):
            del known[node]
            continue
        value = value.clone(memory_format=torch.contiguous_format)  # contiguous() keeps the strides of a single element
        content = (value.dtype, value.shape, bytes(value.reshape(-1).view(torch.uint8).numpy()))
        if content not in stored:
            stored[content] = weights.add(f"{node.name}_constant", value)
        node.replace_all_uses_with(stored[content])


def computed(node: torch.fx.Node, known: dict[torch.fx.Node, Any]) -> Any:
    """The result of a node whose arguments are known, else None."""
    if node.op != "call_function" or not (node.target is operator.getitem or is_pure(node)):
        return None
    value = node.meta.get("val")
    results = value if isinstance(value, tuple | list) else [value]
    if not all(isinstance(each, torch.Tensor) and _has_fixed_shape(each, _MOST_COMPUTED) for each in results):
        return None
    given = {each: known.get(each) for each in node.all_input_nodes}
    if node.target in _LIKE and isinstance(node.args[0], torch.fx.Node):
        pattern = node.args[0].meta["val"]
        if _has_fixed_shape(pattern):
            given[node.args[0]] = torch.empty((), dtype=pattern.dtype).expand(tuple(map(int, pattern.shape)))
    if any(each is None for each in given.values()):
        return None
    return result_of(node, given)


def _has_fixed_shape(tensor: torch.Tensor, most: float = float("inf")) -> bool:
    """Whether no extent is free, and the array has at most `most` bytes."""
    return all(known_extent(extent) is not None for extent in tensor.shape) and _bytes(tensor) <= most


def _bytes(tensor: torch.Tensor) -> int:
    return int(tensor.numel()) * tensor.element_size()


def _is_made_of_made(node: torch.fx.Node, known: dict[torch.fx.Node, Any]) -> bool:
    """Whether an argument is itself what an operator makes: one operator alone is shorter than its result."""
    return any(each in known and each.op == "call_function" for each in node.all_input_nodes)
