# SPDX-License-Identifier: MIT
"""Finds out which line of a module's code fixes an extent that was to be free."""

from __future__ import annotations

import contextlib
import pathlib
import re
import traceback
from collections.abc import Iterator
from typing import Any
from unittest import mock

import torch
from torch.fx.experimental.symbolic_shapes import ShapeEnv

_TORCH = str(pathlib.Path(torch.__file__).parent)
_PACKAGE = str(pathlib.Path(__file__).parents[2])
_INSIDE = (pathlib.Path(__file__).name, "known_numbers.py")  # called by the exported code, not its callers

Reasons = dict[tuple[str, int], str]
"""The lines of code that fix extents, by the input's name in forward and the axis."""


@contextlib.contextmanager
def recorded_reasons() -> Iterator[Reasons]:
    """While this lasts, PyTorch's exporter records here where it finds that a free extent has to be a number."""
    reasons: Reasons = {}
    equal: dict[Any, set[tuple[str, int]]] = {}  # the axes that have to be as long as a symbol says
    original = ShapeEnv._set_replacement

    def record(env: ShapeEnv, symbol: Any, target: Any, *rest: Any) -> Any:
        axes = {axis for source in env.var_to_sources.get(symbol, ()) if (axis := _axis_of(source))}
        axes |= equal.get(symbol, set())
        if target.is_number:
            for axis in axes:
                reasons.setdefault(axis, _place())
        for other in target.free_symbols:
            equal.setdefault(other, set()).update(axes)
        return original(env, symbol, target, *rest)

    with mock.patch.object(ShapeEnv, "_set_replacement", record):
        yield reasons


def _axis_of(source: Any) -> tuple[str, int] | None:
    """The input and axis of a source such as L['cache'][0].size()[1]."""
    name = source.name() if callable(source.name) else source.name
    match = re.fullmatch(r"L\[(.*)\]\.size\(\)\[(\d+)\]", name)
    if match is None:
        return None
    return re.sub(r"\]\.|\]\[|\[|\]", ".", match[1]).replace("'", "").replace('"', ""), int(match[2])


def _place() -> str:
    """The innermost line of the exported code that is running: not PyTorch's, unless there is no other."""
    frames: list[traceback.FrameSummary] = []
    for frame in reversed(traceback.extract_stack()):
        if frame.filename.startswith(_PACKAGE) and frames and not frame.filename.endswith(_INSIDE):
            break
        frames.append(frame)
    own = [frame for frame in frames if not frame.filename.startswith((_TORCH, _PACKAGE, "<"))]
    layers = [frame for frame in frames if frame.filename.startswith(f"{_TORCH}/nn/")]
    found = next(iter(own or layers), None)
    return f"{found.filename}:{found.lineno}: {found.line}" if found else ""


def fixed_text(name: str, axis: int, extent: int, reason: str) -> str:
    """The line of a warning about an extent that stays fixed."""
    if not reason and extent in (0, 1):
        reason = f"{extent} in the example, which PyTorch takes for a case of its own"
    return f"axis {axis} of {name} stays {extent}{f', {reason}' if reason else ''}"
