# SPDX-License-Identifier: MIT
"""Writes a module's files one way or the other, and compares the model with PyTorch."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import _pytorch
from .._errors import ErrorCode
from . import STEM
from .checking import check, check_written
from .export_errors import ExportError, warn
from .request import Request
from .tracing import inference_mode_of, quiet_pytorch
from .varying import other_calls

if TYPE_CHECKING:
    from .torch_export.write import Written


def write_files(request: Request, via: str, folder: pathlib.Path) -> pathlib.Path:
    """Writes and checks the files, and returns their path without .pnnx.param."""
    if via == "pnnx":
        return _write_by_converter(request, folder)
    try:
        return _write_by_torch(request, folder)
    except ExportError as error:
        if via == "torch" or not request.suits_converter():
            raise
        try:
            _pytorch.require("pnnx")
            written = _write_by_converter(request, folder)
        except (ImportError, ExportError) as second:
            error.add_note(f"the converter, which was tried as well: {second}")
            raise error from None
        warn(f"exported by the converter, since torch.export was no way: {error}")
        return written


def _write_by_converter(request: Request, folder: pathlib.Path) -> pathlib.Path:
    _pytorch.require("torch", "pnnx")
    from . import by_converter
    from .converter import with_hints

    if not request.suits_converter():
        raise ExportError(
            "the converter takes no names and states, and free sizes only from args2: expected via='torch'",
            ErrorCode.UNSUPPORTED,
        )
    with inference_mode_of(request.module):
        log = by_converter.write_by_converter(request.module, request.calls, request.results, request.modules, folder)
    written = folder / STEM
    free = len(request.calls) > 1
    if request.check:
        others = other_calls(request.calls)
        check(request, written, others, lambda: by_converter.code_of(folder), lambda text: with_hints(text, free), log)
    return written


def _write_by_torch(request: Request, folder: pathlib.Path) -> pathlib.Path:
    from .torch_export.refusals import reason_of
    from .torch_export.states import StateError
    from .torch_export.write import Additions, write_by_torch

    written = folder / STEM
    name, call = next(iter(request.calls.items()))
    with inference_mode_of(request.module), quiet_pytorch():
        try:
            made = write_by_torch(
                request.module,
                call,
                request.results[name],
                request.dynamic_shapes,
                request.names,
                written,
                Additions(request.states, request.stored),
            )
        except StateError:
            raise
        except Exception as error:
            message = f"torch.export cannot take {type(request.module).__qualname__}: {reason_of(error)}"
            raise ExportError(message, ErrorCode.UNSUPPORTED) from error
    if len(request.calls) > 1:
        _check_free(made.inputs, made.extents, request.dynamic_shapes)
    if request.reports_free:
        _report_free(made)
    if request.check:
        check_written(request, made, written)
    return written


def _report_free(made: Written) -> None:
    """Warns of the extents that stay fixed, with the lines of code that fix them."""
    from .torch_export.fixed_extents import fixed_text

    named = list(zip(made.inputs, made.extents, made.reasons, strict=True))
    shapes = [f"{name} ({', '.join(map(str, shape))})" for name, shape, _ in named]
    fixed = [
        f"\n  {fixed_text(name, axis, extent, reasons[axis])}"
        for name, shape, reasons in named
        for axis, extent in enumerate(shape)
        if isinstance(extent, int)
    ]
    warn(f"extents that the module's code does not fix have a letter: {'; '.join(shapes)}{''.join(fixed)}")


def _check_free(inputs: Sequence[str], extents: Sequence[Sequence[Any]], free: Mapping[int, Sequence[int]]) -> None:
    """Raises an ExportError if an extent that was to be free is a number in the exported program."""
    for index, axes in free.items():
        for axis in axes:
            if isinstance(extents[index][axis], int):
                raise ExportError(
                    f"the code of the module fixes axis {axis} of {inputs[index]} at {extents[index][axis]}, which "
                    "differs in args2",
                    ErrorCode.UNSUPPORTED,
                )
