# SPDX-License-Identifier: MIT
"""Decides whether rows may run together, concatenated along the first axis of a model's inputs.

A model may look as if it had a batch axis and still mix its rows, or have the batch size written into a reshape.
Therefore shapes are planned for every number of rows in use, and the results of rows that ran together are compared
with the results of the same rows run one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._errors import KuiperError
from ._model import Model

Shapes = Sequence[tuple[int, ...]]

# Sums may be taken in another order for another number of rows. Mixed rows differ by far more.
_RELATIVE_TOLERANCE = 1e-3


def why_rows_fixed(model: Model, sizes: Sequence[int], row: Shapes | None = None) -> str | None:
    """Returns why the first axis of all inputs can't have one of the numbers of rows in `sizes`, or None if it can.

    Nothing is run. `row`: the shapes of inputs of one row; by default the recorded shapes.
    """
    row, reason = (row, None) if row is not None else _recorded_row(model)
    if reason is not None:
        return reason
    try:
        return _shapes_differ(model, row, sizes)
    except KuiperError as error:
        return f"the model does not take several rows: {error}"


def why_rows_mix(model: Model, row: Shapes | None = None) -> str | None:
    """Returns why rows can't run together although their number is free, or None if they can. Runs the model."""
    try:
        return _rows_mix(model, row if row is not None else _recorded_row(model)[0])
    except KuiperError as error:
        return f"the model can't run random inputs: {error}"


def _recorded_row(model: Model) -> tuple[Shapes, str | None]:
    row: list[tuple[int, ...]] = []
    for info in model.inputs:
        if not info.shape:
            return [], f"input '{info.name}' has no axis, or its shape is not recorded"
        if info.shape[0] not in (-1, 1):
            return [], f"input '{info.name}' is recorded with {info.shape[0]} rows, not with one"
        if any(extent < 1 for extent in info.shape[1:]):
            return [], f"input '{info.name}' has more free extents than the number of rows: {info.shape}"
        row.append((1, *info.shape[1:]))
    return row, None if row else "the model has no inputs"


def _shapes_differ(model: Model, row: Shapes, sizes: Sequence[int]) -> str | None:
    single = model.output_info(row)
    for info in single:
        if info.shape is None or -1 in info.shape:
            return f"the shape of output '{info.name}' depends on values"
        if not info.shape or info.shape[0] != 1:
            return f"output '{info.name}' of shape {info.shape} does not have one row for one row of input"
    for size in {2, 3, *sizes} - {1}:
        for one, many in zip(single, model.output_info([(size, *shape[1:]) for shape in row]), strict=True):
            if one.shape is None or many.shape != (size, *one.shape[1:]):
                return f"output '{one.name}' has shape {many.shape} for {size} rows, where {one.shape} is for one"
    return None


def _rows_mix(model: Model, row: Shapes) -> str | None:
    random = np.random.default_rng(0)
    inputs = [
        [_random(random, info.dtype, shape) for info, shape in zip(model.inputs, row, strict=True)] for _ in range(3)
    ]
    apart = [model.run(arrays) for arrays in inputs]
    outputs = model.outputs
    for size in (2, 3):
        together = model.run([np.concatenate(arrays) for arrays in zip(*inputs[:size], strict=True)])
        for index in range(size):
            for info, alone, joined in zip(outputs, apart[index], together, strict=True):
                if not _close(alone[0], joined[index]):
                    return f"output '{info.name}' of a row depends on the rows that run with it"
    return None


def _random(random: np.random.Generator, dtype: str | None, shape: tuple[int, ...]) -> np.ndarray:
    """Small random numbers. Integers are 0 or 1, because they are often indices, for which 0 and 1 are mostly valid."""
    if np.issubdtype(np.dtype(dtype), np.floating):
        return random.standard_normal(shape).astype(dtype)
    return random.integers(0, 2, shape).astype(dtype)


def _close(a: np.ndarray, b: Any) -> bool:
    if not np.issubdtype(a.dtype, np.floating):
        return bool(np.array_equal(a, b))
    finite = np.abs(a[np.isfinite(a)])
    scale = float(finite.max()) if finite.size else 0.0
    return bool(np.allclose(a, b, rtol=_RELATIVE_TOLERANCE, atol=_RELATIVE_TOLERANCE * scale, equal_nan=True))
