# SPDX-License-Identifier: MIT
"""Which operators of PyTorch the library has, by the arguments that its table of operations names."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from ... import _core

# Operators that have another name in the file: that of aten::arange takes its arguments by position, a view of another
# element type is an operator of its own, and aten::stft is the overload that does not pad.
_OTHER_NAMES = {
    "aten::arange": "torch.arange",
    "aten::stft.center": "torch.stft",
    "aten::view.dtype": "aten::view.dtype",
}
_OTHER_NAMESPACES = {"torchvision": "torchvision.ops.", "kuiper_infer": "aten::"}


class _Argument(NamedTuple):
    is_list: bool
    has_default: bool


@functools.cache
def _rows() -> dict[str, list[dict[str, _Argument]]]:
    """The arguments by their names and aliases, for each row of a type."""
    rows: dict[str, list[dict[str, _Argument]]] = {}
    for type_name, _, arguments in _core.operations():
        rows.setdefault(type_name, []).append(dict(_arguments_in(arguments)))
    return rows


def _arguments_in(arguments: str) -> Iterable[tuple[str, _Argument]]:
    """The arguments by name in a text such as "Tensor input|self, int[2] stride=1"."""
    for argument in re.split(r",\s*(?![^()]*\))", arguments):
        match = re.match(r"(\S+)\s+([^=\s]+)(=?)", argument)
        if match:
            made = _Argument("[" in match[1], bool(match[3]))
            yield from ((name, made) for name in match[2].split("|"))


def type_of(overload: Any) -> str:
    """The type that the file has for an operator of PyTorch such as aten::add."""
    name = overload._schema.name
    full_name = f"{name}.{overload._overloadname}"
    if full_name in _OTHER_NAMES:
        return _OTHER_NAMES[full_name]
    namespace, _, operator = name.partition("::")
    if namespace in _OTHER_NAMESPACES:
        return _OTHER_NAMESPACES[namespace] + operator
    return _OTHER_NAMES.get(name, name)


def takes(type_name: str, arguments: Iterable[str]) -> bool:
    """Whether the library has this type, with all of these arguments."""
    given = set(arguments)
    return any(given <= row.keys() for row in _rows().get(type_name, []))


def takes_list(type_name: str, argument: str) -> bool:
    """Whether an argument is a list, whose items are inputs of the argument's name each."""
    return any(argument in row and row[argument].is_list for row in _rows().get(type_name, []))


def demands(type_name: str, argument: str) -> bool:
    """Whether an argument has no default in the library, although it may have one in PyTorch."""
    return any(argument in row and not row[argument].has_default for row in _rows().get(type_name, []))
