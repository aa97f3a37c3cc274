# SPDX-License-Identifier: MIT
"""The arguments of a node of PyTorch's graph that the file has, by name."""

from __future__ import annotations

from typing import Any

import torch

from .schemas import demands, type_of

# These say where and how memory lies, which no result depends on.
WITHOUT_EFFECT = frozenset(
    ["device", "layout", "pin_memory", "memory_format", "non_blocking", "generator", "copy", "is_coalesced"]
)


def arguments_of(node: torch.fx.Node) -> dict[str, Any]:
    """Returns the arguments by their names in PyTorch's schema.

    An argument that has its default is left out, unless the library has no default for it.
    """
    overload = node.target
    assert isinstance(overload, torch._ops.OpOverload)
    given = dict(node.kwargs)
    made = {}
    for index, argument in enumerate(overload._schema.arguments):
        if argument.name in WITHOUT_EFFECT:
            continue
        default = argument.default_value if argument.has_default_value() else None
        value = node.args[index] if index < len(node.args) else given.get(argument.name, default)
        left_out = argument.has_default_value() and not is_computed(value) and _same(value, default)
        if not left_out or demands(type_of(overload), argument.name):
            made[argument.name] = value
    return made


def _same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)


def is_computed(value: Any) -> bool:
    """Whether nodes of the graph occur in the value."""
    found: list[torch.fx.Node] = []
    torch.fx.map_arg(value, found.append)
    return bool(found)
