# SPDX-License-Identifier: MIT
"""Finds out whether an exported program also holds for extents of 1, which PyTorch does not look at."""

from __future__ import annotations

from typing import Any

import torch

from ..calls import Call, tensors_of, to_numpy
from ..difference import difference
from .graph_reference import GraphReference
from .other_sizes import call_of_sizes, sizes_of
from .program_parts import constants_of, input_nodes, states_of
from .ranges import LowestSizes


def lowest_sizes(
    program: torch.export.ExportedProgram, module: Any, call: Call, extents: list[list[Any]]
) -> LowestSizes:
    """Returns 1 for the symbols for which the program gives what the module does for 1 as well, and 2 for the others.

    PyTorch exports for extents of 2 and more, since code may treat an extent of 1 in another way. Its bound is then 2,
    or 0 for a dimension without a lower bound. A bound of 1 is the user's word, which is left as it is.
    """
    bounds = {symbol: each.lower for symbol, each in program.range_constraints.items() if each.lower in (0, 2)}
    sizes = {symbol: size for symbol, size in sizes_of(call, extents).items() if symbol in bounds}
    # Extents of one size, as the batch of two inputs, may have to be the same without PyTorch's saying so.
    groups = [{symbol for symbol in sizes if sizes[symbol] == size} for size in sorted(set(sizes.values()))]
    together = [group for group in groups if _fit_one(program, module, call, extents, group)]
    alone = [{symbol} for symbol in sizes if not any(symbol in group for group in together)]
    fitting = set().union(*together, *(each for each in alone if _fit_one(program, module, call, extents, each)))
    return {symbol: 1 if symbol in fitting else 2 for symbol in sizes if symbol not in fitting or bounds[symbol] == 2}


def _fit_one(
    program: torch.export.ExportedProgram, module: Any, call: Call, extents: list[list[Any]], symbols: set[Any]
) -> bool:
    """Whether the program gives what the module does if these free extents are 1."""
    single = call_of_sizes(call, extents, sizes_of(call, extents) | dict.fromkeys(symbols, 1))
    states = states_of(program)
    graph = GraphReference(program.graph, constants_of(program), input_nodes(program), len(states))
    try:
        result, after = single.run_with_states(module, list(states))
        expected = [to_numpy(tensor) for tensor in [*tensors_of(result), *after]]
        made = [to_numpy(tensor) for tensor in graph.outputs([*single.tensors, *states.values()])]
    except Exception:
        return False
    return len(made) == len(expected) and not any(
        difference(ours, theirs).departs(1e-4) for ours, theirs in zip(made, expected, strict=True)
    )
