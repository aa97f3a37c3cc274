# SPDX-License-Identifier: MIT
"""Exports axes that are free multiples of a number, such as `32 * Dim("rows")`, as two axes each.

PyTorch takes the size of such an axis for a symbol of its own, and that it is a multiple for a fact beside it, on which
its solver works for minutes where a network pads to whole windows. Of two axes, one of a free size and one of 32, the
product is a multiple at first sight. The graph then gets its one axis back.
"""

from __future__ import annotations

import contextlib
import inspect
import operator
from collections.abc import Iterator, Mapping
from typing import Any

import sympy
import torch
from torch.export.graph_signature import InputKind
from torch.utils import _pytree as pytree

from .linear_extents import linear_extent

aten = torch.ops.aten

Factors = Mapping[int, int]
"""The factors of the axes that are split, by axis."""


class SplitArguments:
    """Arguments in which the axes that are free multiples have two axes, for their number and for the factor."""

    def __init__(self, module: torch.nn.Module, positional: Any, keywords: Any, dynamic_shapes: Any) -> None:
        if isinstance(dynamic_shapes, torch.export.ShapesCollection):
            dynamic_shapes = dynamic_shapes.dynamic_shapes(module, positional, keywords)
        self._factors: dict[int, Factors] = {}  # by the identity of a tensor
        if dynamic_shapes is not None:
            named = inspect.signature(module.forward).bind(*positional, **keywords).arguments
            given = list(named.values()) if isinstance(dynamic_shapes, tuple | list) else named
            dynamic_shapes = self._rewritten(given, dynamic_shapes)
        self.dynamic_shapes = dynamic_shapes
        leaves, structure = pytree.tree_flatten((positional, keywords))
        self.factors = {
            index: self._factors[id(leaf)] for index, leaf in enumerate(leaves) if id(leaf) in self._factors
        }
        split = [_split(leaf, self.factors.get(index, {})) for index, leaf in enumerate(leaves)]
        self.positional, self.keywords = pytree.tree_unflatten(split, structure)

    def _rewritten(self, value: Any, shapes: Any) -> Any:
        """The description of an argument's sizes. What is neither tensor, list nor dictionary stays whole."""
        if isinstance(value, torch.Tensor) and shapes is not None:
            axes = dict(shapes) if isinstance(shapes, Mapping) else dict(enumerate(shapes))
            factors = {axis: factor for axis, dim in axes.items() if (factor := _factor_of(dim, value.shape[axis])) > 1}
            if not factors:
                return shapes
            self._factors[id(value)] = factors
            return {
                axis + sum(split < axis for split in factors): dim.root if axis in factors else dim
                for axis, dim in axes.items()
            }
        if isinstance(value, Mapping) and isinstance(shapes, Mapping):
            return {key: self._rewritten(value.get(key), each) for key, each in shapes.items()}
        if isinstance(value, tuple | list) and isinstance(shapes, tuple | list) and len(value) == len(shapes):
            made = [self._rewritten(*each) for each in zip(value, shapes, strict=True)]
            return made if isinstance(shapes, list) else tuple(made)
        return shapes

    @contextlib.contextmanager
    def joined_in(self, module: torch.nn.Module) -> Iterator[None]:
        """While this lasts, the module takes these arguments: the axes are joined before forward runs."""
        if not self.factors:
            yield
            return

        def join(_: torch.nn.Module, positional: Any, keywords: Any) -> Any:
            leaves, structure = pytree.tree_flatten((positional, keywords))
            joined = [_joined(leaf, self.factors.get(index, {})) for index, leaf in enumerate(leaves)]
            return pytree.tree_unflatten(joined, structure)

        hook = module.register_forward_pre_hook(join, with_kwargs=True, prepend=True)
        try:
            yield
        finally:
            hook.remove()

    def join_in(self, program: torch.export.ExportedProgram) -> None:
        """Gives the arguments of the exported program their axes of before back."""
        graph = program.graph
        nodes = {node.name: node for node in graph.nodes}
        specs = [spec for spec in program.graph_signature.input_specs if spec.kind is InputKind.USER_INPUT]
        for index, factors in self.factors.items():
            _join(graph, nodes[specs[index].arg.name], factors)
        program.graph_module.recompile()


def _factor_of(dim: Any, size: int) -> int:
    """The factor of a multiple of a dimension; 1 for everything else, which PyTorch treats as it does."""
    if not hasattr(dim, "root"):
        return 1
    linear = linear_extent(dim.fn(sympy.Symbol("n", integer=True)))
    # PyTorch takes a free size of 1 for a number.
    return linear.factor if linear and linear.offset == 0 and size % linear.factor == 0 and size > linear.factor else 1


def _split(leaf: Any, factors: Factors) -> Any:
    for axis, factor in sorted(factors.items(), reverse=True):
        leaf = leaf.unflatten(axis, (-1, factor))
    return leaf


def _joined(leaf: Any, factors: Factors) -> Any:
    if not factors:
        return leaf
    sizes = iter(leaf.shape)
    rank = leaf.dim() - len(factors)
    return leaf.reshape([next(sizes) * (next(sizes) if axis in factors else 1) for axis in range(rank)])


def _join(graph: torch.fx.Graph, argument: torch.fx.Node, factors: Factors) -> None:
    sizes = [node for node in argument.users if node.target is aten.sym_size.int]
    whole = next(node for node in argument.users if node not in sizes)
    argument.meta["val"] = whole.meta["val"]
    axes = [axis for axis in range(argument.meta["val"].dim()) for _ in range(2 if axis in factors else 1)]
    for node in sizes:
        axis = axes[node.args[1]]  # a factor is a number, so that this is the axis of the first of the two
        node.args = (argument, axis)
        if axis in factors:
            with graph.inserting_after(node):
                number = graph.call_function(operator.floordiv, (node, factors[axis]))
            number.meta = dict(node.meta)
            node.meta["val"] = argument.meta["val"].shape[axis]
            node.replace_all_uses_with(number, delete_user_cb=lambda user, number=number: user is not number)
    whole.replace_all_uses_with(argument)
    graph.erase_node(whole)
