# SPDX-License-Identifier: MIT
"""Takes arguments and results of modules apart into tensors and everything else."""

from __future__ import annotations

import dataclasses
import importlib
from typing import Any

from torch.utils import _pytree as pytree

_CACHE = "transformers.cache_utils.DynamicCache"


def flatten(tree: Any) -> tuple[list[Any], pytree.TreeSpec]:
    """Takes lists, dictionaries, tuples, dataclasses and caches of transformers apart.

    PyTorch's exporter takes only structures apart that are registered, and that name their parts. Classes of
    dataclasses and the cache are registered here when they occur for the first time; classes that their library has
    registered without names, such as the results of diffusers, get them.
    """
    while True:
        leaves, structure = pytree.tree_flatten(tree)
        if not any([_registered(leaf) for leaf in leaves]):
            _name_parts(structure)
            return leaves, structure


def _name_parts(structure: pytree.TreeSpec) -> None:
    """Gives the registered classes in a structure functions that name parts, where they have none."""
    node = pytree.SUPPORTED_NODES.get(structure.type)
    if node is not None and node.flatten_with_keys_fn is None:

        def with_keys(value: Any) -> tuple[list[tuple[Any, Any]], Any]:
            parts, context = node.flatten_fn(value)
            names = list(value) if isinstance(value, dict) else []
            keys: list[Any] = [pytree.MappingKey(name) for name in names]
            if len(keys) != len(parts):
                keys = [pytree.SequenceKey(index) for index in range(len(parts))]
            return list(zip(keys, parts, strict=True)), context

        pytree.SUPPORTED_NODES[structure.type] = node._replace(flatten_with_keys_fn=with_keys)
    for part in structure.children():
        _name_parts(part)


def _registered(leaf: Any) -> bool:
    """Whether the class of a leaf was registered now, so that it is no leaf any more."""
    kind = type(leaf)
    if kind in pytree.SUPPORTED_NODES:
        return True  # by a leaf before this one
    if dataclasses.is_dataclass(leaf) and not isinstance(leaf, type):
        pytree.register_dataclass(kind, serialized_type_name=type_name(leaf))
        return True
    if type_name(leaf) == _CACHE:
        importlib.import_module("transformers.integrations.executorch").register_dynamic_cache_export_support()
        return True
    return False


def type_name(value: Any) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"
