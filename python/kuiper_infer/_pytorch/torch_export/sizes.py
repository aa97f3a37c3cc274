# SPDX-License-Identifier: MIT
"""Numbers that follow from the sizes of arrays, as expressions of the file: `mul(size(@0,1),2)`."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import torch

# The file's functions for what Python and PyTorch do with sizes.
_FUNCTIONS: dict[Any, str] = {
    operator.add: "add",
    operator.sub: "sub",
    operator.mul: "mul",
    operator.floordiv: "floor_divide",
    operator.truediv: "div",
    operator.mod: "remainder",
    operator.pow: "pow",
    operator.neg: "neg",
    operator.abs: "abs",
    operator.eq: "eq",
    operator.ne: "ne",
    operator.lt: "lt",
    operator.le: "le",
    operator.gt: "gt",
    operator.ge: "ge",
    operator.and_: "logical_and",
    operator.or_: "logical_or",
    math.ceil: "ceil",
    math.floor: "floor",
    math.trunc: "trunc",
    round: "round",
    torch.sym_int: "int",
    torch.sym_max: "max",
    torch.sym_min: "min",
    max: "max",
    min: "min",
}


def is_function_of_sizes(target: Any) -> bool:
    """Whether the file has a function for what a node of the graph calls."""
    return target in _FUNCTIONS


class Expression:
    """The text of an expression, and the operands that it reads as @0, @1 and so on."""

    def __init__(self) -> None:
        self.operands: list[Any] = []

    def operand(self, given: Any) -> str:
        """Returns the text that stands for an operand."""
        for index, known in enumerate(self.operands):
            if known is given:
                return f"@{index}"
        self.operands.append(given)
        return f"@{len(self.operands) - 1}"


Leaf = Callable[[torch.fx.Node, Expression], str]


def number_text(value: Any, expression: Expression, leaf: Leaf) -> str:
    """Returns the text of a number, or of a node that computes one.

    `leaf` gives the text of nodes that are not computed by the file's functions.
    """
    if isinstance(value, torch.fx.Node):
        known = value.meta.get("val")
        if isinstance(known, int | float | bool):
            return repr(known)
        if isinstance(known, torch.SymInt) and known.node.expr.is_number:
            return str(int(known.node.expr))
        if value.target in _FUNCTIONS:
            parts = [number_text(item, expression, leaf) for item in value.args]
            if len(parts) > 2:  # max and min take any number of arguments, the file's functions two
                parts = [parts[0], _joined(_FUNCTIONS[value.target], parts[1:])]
            text = f"{_FUNCTIONS[value.target]}({','.join(parts)})"
            # Python's rounding functions give integers.
            return f"int({text})" if value.target in (math.ceil, math.floor, math.trunc, round) else text
        return leaf(value, expression)
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int | float):
        return repr(value)
    raise ValueError(f"{value!r}, a {type(value).__name__}, is no number")


def _joined(function: str, parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{function}({parts[0]},{_joined(function, parts[1:])})"
