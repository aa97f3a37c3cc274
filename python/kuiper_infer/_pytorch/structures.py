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

    PyTorch's exporter takes only structures apart that are registered. Classes of dataclasses and the cache are
    registered here when they occur for the first time.
    """
    while True:
        leaves, structure = pytree.tree_flatten(tree)
        if not any([_registered(leaf) for leaf in leaves]):
            return leaves, structure


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
