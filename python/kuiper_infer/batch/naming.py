# SPDX-License-Identifier: MIT
"""Which column is which input or output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import ArrayInfo


def columns_of_inputs(columns: Mapping[str, str], inputs: Sequence[ArrayInfo]) -> dict[str, str]:
    """Returns the column for each input. Raises ValueError if an input has no column or two, or is unknown."""
    names = [info.name for info in inputs]
    column_of: dict[str, str] = {}
    for column, name in columns.items():
        if name not in names:
            raise ValueError(f"column '{column}': the model has no input '{name}', its inputs are {names}")
        if name in column_of:
            raise ValueError(f"columns '{column_of[name]}' and '{column}' are both given for input '{name}'")
        column_of[name] = column
    for name in names:
        if name not in column_of:
            raise ValueError(f"no column is given for input '{name}'")
    return column_of


def columns_of_outputs(columns: Mapping[str, str] | None, outputs: Sequence[ArrayInfo]) -> list[str]:
    """Returns the name of each output's column. Raises ValueError if an output is unknown or a column occurs twice."""
    given = dict(columns or {})
    names = [info.name for info in outputs]
    for name in given:
        if name not in names:
            raise ValueError(f"the model has no output '{name}', its outputs are {names}")
    result = [given.get(name, name) for name in names]
    for name in result:
        if result.count(name) > 1:
            raise ValueError(f"two outputs are given the column '{name}'")
    return result
