# SPDX-License-Identifier: MIT
"""Converts programs that torch.export.save wrote."""

from __future__ import annotations

import os
import pathlib
import pickle
import sys
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any
from unittest import mock

import torch
from torch.export.graph_signature import ConstantArgument, OutputKind
from torch.utils import _pytree as pytree

from .._errors import ErrorCode
from . import STEM
from .calls import Call
from .checking import check_written
from .export_errors import ExportError
from .request import Request
from .torch_export.guards import add_assertions, conditions_of
from .torch_export.lowest_sizes import lowest_sizes
from .torch_export.names import output_names
from .torch_export.program import prepared
from .torch_export.program_parts import extents_of, input_nodes
from .torch_export.ranges import LowestSizes
from .torch_export.refusals import reason_of
from .torch_export.write import write_program
from .tracing import quiet_pytorch


def convert_file(
    path: str | os.PathLike[str],
    folder: pathlib.Path,
    names: tuple[Sequence[str] | None, Sequence[str] | None],
    check: bool,
    rtol: float,
) -> pathlib.Path:
    """Writes and checks the files of a saved program, and returns their path without .pnnx.param."""
    with quiet_pytorch():
        program = _load(path)
        call = _example(program)
        module = _Runnable(program.module()) if call is not None else None
    written = folder / STEM
    try:
        conditions = conditions_of(program)
        graph = prepared(program)
        result = call.run(module) if call is not None and module is not None else None
        lowest: LowestSizes = {}
        if module is not None and call is not None:
            lowest = lowest_sizes(graph, module, call, extents_of(graph))
        inputs = names[0] or input_nodes(graph)[: len(extents_of(graph))]
        add_assertions(graph, conditions, list(inputs))
        made = write_program(graph, inputs, names[1] or _output_names(program), lowest, written)
    except Exception as error:
        raise ExportError(f"{os.fspath(path)}: {reason_of(error)}", ErrorCode.UNSUPPORTED) from error
    if check and module is not None and call is not None:
        request = Request(module, {"the example": call}, {"the example": result}, None, False, names, (), check, rtol)
        check_written(request, made, written)
    return written


class _Runnable(torch.nn.Module):
    """The module of a program. PyTorch refuses to call its eval(), so it is no part of this one."""

    def __init__(self, program: torch.nn.Module) -> None:
        super().__init__()
        self.__dict__["program"] = program

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.program(*args, **kwargs)

    def buffers(self, recurse: bool = True) -> Iterator[torch.Tensor]:
        return self.program.buffers(recurse)

    def get_buffer(self, target: str) -> torch.Tensor:
        return self.program.get_buffer(target)


def _load(path: str | os.PathLike[str]) -> torch.export.ExportedProgram:
    if not os.path.exists(path):
        raise FileNotFoundError(f"{os.fspath(path)}: no such file")
    if not zipfile.is_zipfile(path):
        raise ExportError(
            f"{os.fspath(path)}: expected a file of torch.export.save, which is an archive", ErrorCode.FILE
        )
    logged = _LoggedError()
    try:
        with mock.patch.object(torch.export, "log", logged, create=True):
            program = torch.export.load(path)
    except (RuntimeError, ValueError, KeyError, AssertionError, AttributeError, OSError, EOFError, TypeError) as error:
        reason = reason_of(logged.error or error)
        message = f"{os.fspath(path)}: PyTorch {torch.__version__} cannot load it: {reason}"
        raise ExportError(message, ErrorCode.FILE) from error
    except (pickle.UnpicklingError, zipfile.BadZipFile) as error:
        raise ExportError(f"{os.fspath(path)}: damaged: {reason_of(error)}", ErrorCode.FILE) from error
    return program


class _LoggedError:
    """A logger that keeps the error that PyTorch logs before it raises one that points to the log."""

    error: BaseException | None = None

    def warning(self, *_: Any, **__: Any) -> None:
        self.error = sys.exc_info()[1]


def _example(program: torch.export.ExportedProgram) -> Call | None:
    """The example that the program was exported with, if the file has it."""
    if program.example_inputs is None:
        return None
    positional, keywords = program.example_inputs
    leaves, structure = pytree.tree_flatten((tuple(positional), dict(keywords)))
    return Call(tuple(leaves), structure)


def _output_names(program: torch.export.ExportedProgram) -> list[str]:
    specs = [spec for spec in program.graph_signature.output_specs if spec.kind is OutputKind.USER_OUTPUT]
    leaves: list[Any] = [None if isinstance(spec.arg, ConstantArgument) else torch.empty(0) for spec in specs]
    return output_names(pytree.tree_unflatten(leaves, program.call_spec.out_spec))
