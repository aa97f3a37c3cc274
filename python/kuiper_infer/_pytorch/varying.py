# SPDX-License-Identifier: MIT
"""Calls with other numbers than given ones. Only other numbers show what a file holds of the given numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import torch

from .calls import Call

_SEED = 20261126


def other_calls(calls: Mapping[str, Call]) -> dict[str, Call]:
    """Returns calls with other numbers than the given calls, by a name for messages.

    `calls`: one, or two of other sizes. If the first extents of two calls differ, a third call has one row more.
    """
    others = {f"other numbers than those of {name}": _with_other_numbers(call) for name, call in calls.items()}
    if len(calls) > 1:
        longer = _with_a_row_more(calls["args2"], calls["args"])
        if longer is not None:
            others["other numbers than those of args2 and a row more"] = _with_other_numbers(longer)
    return others


def run_each(
    run: Callable[[Call], list[np.ndarray]], calls: Mapping[str, Call]
) -> tuple[dict[str, tuple[Call, list[np.ndarray]]], dict[str, Exception]]:
    """Returns the calls with their results, and the errors of the calls that the module refuses."""
    results: dict[str, tuple[Call, list[np.ndarray]]] = {}
    refused: dict[str, Exception] = {}
    for name, call in calls.items():
        try:
            results[name] = call, run(call)
        except Exception as error:
            refused[name] = error
    return results, refused


def _with_other_numbers(call: Call) -> Call:
    """Those of each tensor in another order, floating-point ones also closer to zero. Whole numbers that ascend from 0
    stay, since they may be the begins of parts."""
    generator = torch.Generator().manual_seed(_SEED)
    return call.with_tensors([_varied(tensor, generator) for tensor in call.tensors])


def _with_a_row_more(call: Call, other: Call) -> Call | None:
    """Returns the call with the last row twice in all tensors whose first extent differs between the two calls.

    Returns None if that extent is not the same in all of these tensors.
    """
    pairs = list(zip(call.tensors, other.tensors, strict=True))
    free = [a.dim() > 0 and a.shape[0] != b.shape[0] for a, b in pairs]
    rows = {(a.shape[0], b.shape[0]) for (a, b), is_free in zip(pairs, free, strict=True) if is_free}
    if len(rows) != 1 or 0 in rows.pop():
        return None
    longer = [torch.cat([a, a[-1:]]) if is_free else a for (a, _), is_free in zip(pairs, free, strict=True)]
    return call.with_tensors(longer)


def _varied(tensor: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    tensor = tensor.detach()
    flat = tensor.reshape(-1)
    shuffled = flat[torch.randperm(flat.numel(), generator=generator)].reshape(tensor.shape)
    if tensor.is_floating_point() or tensor.is_complex():
        factors = 0.5 + 0.5 * torch.rand(tensor.shape, generator=generator, dtype=torch.float64)
        return (shuffled * factors).to(tensor.dtype)
    if tensor.dim() == 1 and tensor.dtype != torch.bool and flat.numel() and flat[0] == 0:
        return tensor if bool((flat.diff() >= 0).all()) else shuffled
    return shuffled
