# SPDX-License-Identifier: MIT
"""Writes a module's files by way of a trace and the converter."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from .._errors import ErrorCode
from . import STEM, converter
from .calls import Call
from .converter_code import ConverterCode
from .export_errors import ExportError, warn
from .tracing import run_traced, trace


def write_by_converter(
    module: torch.nn.Module,
    calls: Mapping[str, Call],
    results: Mapping[str, Any],
    modules: Sequence[type[torch.nn.Module] | str],
    folder: pathlib.Path,
) -> str:
    """Writes the files, which are called STEM, and returns what the converter printed.

    `calls`: one, or two of other sizes; `results`: what the module gives for them; `modules`: those kept whole.
    """
    traced = _trace(module, calls, results)
    try:
        return converter.convert(traced, list(calls.values()), folder, list(modules))
    except converter.ConversionError as error:
        raise ExportError(str(error), ErrorCode.UNSUPPORTED, log=error.log) from None


def code_of(folder: pathlib.Path) -> ConverterCode:
    """The PyTorch code that the converter wrote beside the files."""
    return ConverterCode(folder / f"{STEM}_pnnx.py")


def _trace(module: torch.nn.Module, calls: Mapping[str, Call], results: Mapping[str, Any]) -> torch.jit.ScriptModule:
    """Traces the module with the first call, and runs the trace on the other one."""
    (first, call), *others = calls.items()
    try:
        traced, places = trace(module, call, results[first])
    except Exception as error:
        message = f"PyTorch cannot trace {type(module).__qualname__}, although it runs: {error}"
        raise ExportError(message, ErrorCode.UNSUPPORTED) from error
    if places:
        listed = "\n".join(f"  {place}" for place in places)
        warn(f"what Python computes from tensors is fixed as it was for the example's data and sizes:\n{listed}")
    for name, other in others:
        try:
            run_traced(traced, other)
        except Exception as error:
            message = f"what PyTorch traced with {first} cannot be run on {name}, the sizes of {first} are part of it"
            raise ExportError(f"{message}:\n{_innermost(error)}", ErrorCode.UNSUPPORTED) from error
    return traced


def _innermost(error: Exception) -> str:
    """Takes the fault and its place in the module's code from the text of an error that a traced module raised."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    places = [line for line in lines if re.match(r".*\.py\(\d+\): ", line)]
    return "\n".join(f"  {line}" for line in [*places[:1], *lines[-1:]])
