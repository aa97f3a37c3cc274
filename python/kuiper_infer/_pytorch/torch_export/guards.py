# SPDX-License-Identifier: MIT
"""Puts what PyTorch demands of free sizes into the graph, as assertions that the model makes for each size."""

from __future__ import annotations

import pathlib
import re
from typing import Any

import sympy
import torch
from torch.utils._sympy.interp import sympy_interp
from torch.utils._sympy.reference import PythonReferenceAnalysis

from .graph_nodes import is_written
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
    axes: dict[Any, tuple[torch.fx.Node, int]] = {}  # where a symbol's value is found
    texts: dict[str, str] = {}
    derived: list[tuple[torch.fx.Node, int, Any]] = []
    for node, name, shape in zip(arguments, names, extents_of(program), strict=True):
        for axis, extent in enumerate(shape):
            if isinstance(extent, int):
                continue
            if extent.node.expr.is_symbol:
                axes.setdefault(extent.node.expr, (node, axis))
                texts.setdefault(str(extent.node.expr), f"{name}.shape[{axis}]")
            else:
                derived.append((node, axis, extent.node.expr))
                texts[f"{node.name}.{axis}"] = f"{name}.shape[{axis}]"
    first = next(node for node in graph.nodes if node.op != "placeholder")
    with graph.inserting_before(first):  # so that a size is refused before an operator refuses it
        for condition, place in conditions:
            _add(graph, condition, axes, f"{_with(condition, texts)} ({place})")
        for node, axis, expression in derived:
            size = sympy.Symbol(f"{node.name}.{axis}", integer=True)
            _add(
                graph, sympy.Eq(size, expression), axes | {size: (node, axis)}, _with(sympy.Eq(size, expression), texts)
            )


def _with(condition: Any, texts: dict[str, str]) -> str:
    """The text of a condition with the extents' names."""
    pattern = "|".join(sorted(map(re.escape, texts), key=len, reverse=True))
    return re.sub(rf"\b({pattern})\b", lambda match: texts[match[1]], str(condition))


def _add(graph: torch.fx.Graph, condition: Any, axes: dict[Any, tuple[torch.fx.Node, int]], text: str) -> None:
    if not condition.free_symbols <= axes.keys():
        return
    tracer = torch.fx.proxy.GraphAppendingTracer(graph)
    values = {
        symbol: torch.fx.Proxy(graph.call_function(aten.sym_size.int, axes[symbol]), tracer)
        for symbol in condition.free_symbols
    }
    holds = sympy_interp(PythonReferenceAnalysis, values, condition).node
    if is_written(holds):
        graph.call_function(aten._assert_scalar.default, (holds, f"the model was exported for sizes with {text}"))
