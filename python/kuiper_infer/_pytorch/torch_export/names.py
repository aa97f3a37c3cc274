# SPDX-License-Identifier: MIT
"""Names of operators, inputs and outputs, as the user's code has them."""

from __future__ import annotations

import collections
import inspect
import re
from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

from ..calls import Call


def module_path(node: torch.fx.Node) -> str:
    """The path of the module whose forward made the node, such as layers.0.attention; empty for the whole module."""
    stack = node.meta.get("nn_module_stack") or {}
    paths = [path for path, _ in stack.values() if "_from_metadata_hook" not in path]
    path = re.sub(r"\[['\"]?|['\"]?\]\.?", ".", paths[-1]).strip(".") if paths else ""
    return re.sub(r"\s+", "_", path)  # names in the file have no blanks


def operator_names(nodes: Iterable[torch.fx.Node]) -> dict[str, str]:
    """Names for the operators of these nodes, by the nodes' names.

    The only operator of a module has the module's path; of several, each adds its own name.
    """
    paths = {node.name: module_path(node) for node in nodes}
    members = collections.Counter(paths.values())
    taken = {path for path, count in members.items() if count == 1 and path}
    names = {}
    for name, path in paths.items():
        names[name] = path if path in taken else f"{path}.{name}" if path else name
    return names


def input_names(module: torch.nn.Module, call: Call) -> list[str]:
    """A name for each tensor among the arguments: that of forward's argument, with dots inside of lists and so on."""
    leaves, _ = pytree.tree_flatten_with_path(call.arguments(call.tensors))
    positional = _positional_names(module, len(call.arguments(call.tensors)[0]))
    names = []
    for (kind, argument, *inner), leaf in leaves:
        if isinstance(leaf, torch.Tensor):
            first = positional[argument.idx] if kind.idx == 0 else _key_text(argument)
            names.append(".".join([first, *map(_key_text, inner)]))
    return _unique(names)


def _positional_names(module: torch.nn.Module, count: int) -> list[str]:
    """The names of forward's first arguments; those of *args are numbered."""
    names: list[str] = []
    for name, parameter in inspect.signature(module.forward).parameters.items():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            names.extend(f"{name}.{index}" for index in range(count - len(names)))
        elif parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
            names.append(name)
    return names


def output_names(result: Any) -> list[str]:
    """A name for each tensor in the module's result: its key, its field or its number."""
    names = [name if name[:1].isalpha() else f"output_{name}".rstrip("_") for name in _paths(result)]
    return _unique(names)


def _paths(tree: Any) -> list[str]:
    """The path of each tensor in a structure of lists, dictionaries and so on, with dots."""
    leaves, _ = pytree.tree_flatten_with_path(tree)
    return [".".join(_key_text(key) for key in path) for path, leaf in leaves if isinstance(leaf, torch.Tensor)]


def _key_text(key: Any) -> str:
    for attribute in ("name", "key", "idx"):
        if hasattr(key, attribute):
            return re.sub(r"\s", "_", str(getattr(key, attribute)))
    return str(key)


def _unique(names: Sequence[str]) -> list[str]:
    """The names, with a number behind each that occurred before."""
    taken: set[str] = set()
    unique = []
    for name in names:
        number, candidate = 1, name
        while candidate in taken:
            number += 1
            candidate = f"{name}_{number}"
        taken.add(candidate)
        unique.append(candidate)
    return unique
