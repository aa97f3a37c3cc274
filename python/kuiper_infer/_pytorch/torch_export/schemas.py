# SPDX-License-Identifier: MIT
"""Which operators of PyTorch the library has, by the arguments that its table of operations names."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from ... import _core

_OTHER_NAMES = {"torchvision::": "torchvision.ops."}


@functools.cache
def _rows() -> dict[str, list[frozenset[str]]]:
    """The names of the arguments, with their aliases, of each row of a type."""
    rows: dict[str, list[frozenset[str]]] = {}
    for type_name, _, arguments in _core.operations():
        rows.setdefault(type_name, []).append(frozenset(_names_in(arguments)))
    return rows


def _names_in(arguments: str) -> Iterable[str]:
    """The names in a text such as "Tensor input|self, int[2] stride=1"."""
    for argument in re.split(r",\s*(?![^()]*\))", arguments):
        match = re.match(r"\S+\s+([^=\s]+)", argument)
        if match:
            yield from match[1].split("|")


def type_of(name: str) -> str:
    """The type that the file has for an operator of PyTorch such as aten::add."""
    for theirs, ours in _OTHER_NAMES.items():
        if name.startswith(theirs):
            return ours + name.removeprefix(theirs)
    return name


def takes(type_name: str, arguments: Iterable[str]) -> bool:
    """Whether the library has this type, with all of these arguments."""
    given = set(arguments)
    return any(given <= row for row in _rows().get(type_name, []))
