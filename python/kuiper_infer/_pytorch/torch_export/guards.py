# SPDX-License-Identifier: MIT
"""Puts what PyTorch demands of free sizes into the graph, as assertions that the model makes for each size."""

from __future__ import annotations

import dataclasses
import pathlib
import re
from collections.abc import Mapping
from typing import Any

import sympy
import torch
from torch.utils._sympy.interp import sympy_interp
from torch.utils._sympy.printers import PythonPrinter
from torch.utils._sympy.reference import PythonReferenceAnalysis

from .graph_nodes import is_written
from .linear_extents import LinearExtent, linear_extent
from .program_parts import extents_of, input_nodes

aten = torch.ops.aten

_TORCH = str(pathlib.Path(torch.__file__).parent)

Condition = tuple[Any, str]
"""A condition on free extents, and the line of code that demands it."""


def conditions_of(program: torch.export.ExportedProgram) -> list[Condition]:
    """The conditions that the module's own code sets, by an `if` or torch._check.

    Conditions on one extent that are bounds are left out: they are ranges of the inputs. So are conditions that
    PyTorch's operators set, because the operators of the model check their arguments themselves.
    """
    values = [node.meta.get("val") for node in program.graph.nodes if node.op == "placeholder"]
    modes = [value.fake_mode for value in values if isinstance(value, torch._subclasses.FakeTensor)]
    env = modes[0].shape_env if modes else None
    if env is None:
        return []
    found: dict[Any, str] = {}
    for guard in env.guards:
        frame = guard.sloc.framework_loc
        condition = env.replace(guard.expr)
        if not isinstance(frame, str) and frame is not None and not frame.filename.startswith(_TORCH):
            if condition.free_symbols and not _is_bound(condition):
                found.setdefault(condition, f"{frame.filename}:{frame.lineno}")
    return list(found.items())


def _is_bound(condition: Any) -> bool:
    """Whether a condition compares one extent with a number."""
    ordered = isinstance(condition, sympy.StrictLessThan | sympy.LessThan | sympy.StrictGreaterThan | sympy.GreaterThan)
    return ordered and {each.is_symbol or each.is_number for each in condition.args} == {True}


def add_assertions(program: torch.export.ExportedProgram, conditions: list[Condition], names: list[str]) -> None:
    """Adds an assertion for each condition on the extents of the arguments, which have these names.

    An extent that depends on others, such as twice the extent of another axis, is asserted, too.
    """
    graph = program.graph
    nodes = {node.name: node for node in graph.nodes}
    arguments = [nodes[name] for name in input_nodes(program)[: len(names)]]
    free = [
        _FreeAxis(node, f"{name}.shape[{axis}]", axis, extent.node.expr)
        for node, name, shape in zip(arguments, names, extents_of(program), strict=True)
        for axis, extent in enumerate(shape)
        if not isinstance(extent, int)
    ]
    places: dict[Any, _FreeAxis] = {}  # where a symbol's value is found: if possible, where an extent is the symbol
    for axis in sorted(free, key=lambda axis: not axis.expression.is_symbol):
        if axis.linear is not None:
            places.setdefault(axis.linear.symbol, axis)
    texts = {str(symbol): axis.symbol_text() for symbol, axis in places.items()}
    first = next(node for node in graph.nodes if node.op != "placeholder")
    with graph.inserting_before(first):  # so that a size is refused before an operator refuses it
        for axis in free:
            if not axis.expression.is_symbol:
                size = sympy.Symbol(axis.text, integer=True)
                demand = sympy.Eq(size, axis.expression)
                own = axis in places.values()
                _add(graph, demand, places, {size: axis}, axis.remainder_text() if own else _with(demand, texts))
        for condition, line in conditions:
            _add(graph, condition, places, {}, f"{_with(condition, texts)} ({line})")


@dataclasses.dataclass(frozen=True)
class _FreeAxis:
    """A free axis of an argument."""

    node: torch.fx.Node
    text: str  #: `x.shape[2]`
    axis: int
    expression: Any  #: the extent, of symbols

    @property
    def linear(self) -> LinearExtent | None:
        return linear_extent(self.expression)

    def size(self, graph: torch.fx.Graph) -> torch.fx.Node:
        """A new node for the extent."""
        return graph.call_function(aten.sym_size.int, (self.node, self.axis))

    def symbol_text(self) -> str:
        """How the symbol's value follows from the extent."""
        linear = self.linear
        if linear is None or self.expression.is_symbol:
            return self.text
        return f"({self._numerator(linear)} // {linear.factor})"

    def remainder_text(self) -> str:
        """What is demanded of an extent that alone says what its symbol is."""
        linear = self.linear
        assert linear is not None
        return f"{self._numerator(linear)} a multiple of {linear.factor}"

    def _numerator(self, linear: LinearExtent) -> str:
        return f"({self.text} - {linear.offset})".replace("- -", "+ ") if linear.offset else self.text


def _with(condition: Any, texts: dict[str, str]) -> str:
    """A condition as Python would write it, with the extents' names."""
    return re.sub(r"\b\w+\b", lambda match: texts.get(match[0], match[0]), PythonPrinter().doprint(condition))


def _add(
    graph: torch.fx.Graph,
    condition: Any,
    places: Mapping[Any, _FreeAxis],
    sizes: Mapping[Any, _FreeAxis],
    text: str,
) -> None:
    """Adds an assertion. `places`: where the values of symbols are found; `sizes`: symbols that are extents."""
    if not condition.free_symbols <= places.keys() | sizes.keys():
        return
    tracer = torch.fx.proxy.GraphAppendingTracer(graph)
    values = {}
    for symbol in condition.free_symbols:
        axis = sizes.get(symbol) or places[symbol]
        size = torch.fx.Proxy(axis.size(graph), tracer)
        values[symbol] = size if symbol in sizes or axis.linear is None else axis.linear.symbol_of(size)
    holds = sympy_interp(PythonReferenceAnalysis, values, condition).node
    if is_written(holds):
        graph.call_function(aten._assert_scalar.default, (holds, f"the model was exported for sizes with {text}"))
