# SPDX-License-Identifier: MIT
"""The arguments of a node of PyTorch's graph, by name and without those that the file leaves out."""

from __future__ import annotations

from typing import Any

import torch

# These say where and how memory lies, which no result depends on.
WITHOUT_EFFECT = frozenset(
    ["device", "layout", "pin_memory", "memory_format", "non_blocking", "generator", "copy", "is_coalesced"]
)


def arguments_of(node: torch.fx.Node) -> dict[str, Any]:
    """Returns the arguments by their names in PyTorch's schema, without those that have their default."""
    overload = node.target
    assert isinstance(overload, torch._ops.OpOverload)
    arguments = {argument.name: argument for argument in overload._schema.arguments}
    given = dict(zip(arguments, node.args, strict=False)) | node.kwargs
    return {
        name: value
        for name, value in given.items()
        if name not in WITHOUT_EFFECT and not _is_default(value, arguments[name])
    }


def _is_default(value: Any, argument: torch.Argument) -> bool:
    if not argument.has_default_value() or is_computed(value):
        return False
    return type(value) is type(argument.default_value) and bool(value == argument.default_value)


def is_computed(value: Any) -> bool:
    """Whether nodes of the graph occur in the value."""
    found: list[torch.fx.Node] = []
    torch.fx.map_arg(value, found.append)
    return bool(found)
