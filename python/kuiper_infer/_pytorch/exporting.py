# SPDX-License-Identifier: MIT
"""Writes a module's files one way or the other, and compares the model with PyTorch."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from .. import _pytorch
from .._errors import ErrorCode, KuiperError
from .._model import Model
from .calls import Call, tensors_of, to_numpy
from .comparing import compare_with
from .export_errors import ExportError, warn
from .reference import Reference
from .tracing import inference_mode_of, quiet_pytorch
from .varying import other_calls, run_each

if TYPE_CHECKING:
    from .torch_export.write import Written

STEM = "model"
"""The files in the temporary folder are model.pnnx.param and model.pnnx.bin."""


@dataclasses.dataclass(frozen=True)
class Request:
    """What is to be exported."""

    module: torch.nn.Module
    calls: dict[str, Call]  #: by name: args and, if given, args2; the first one is exported
    results: dict[str, Any]  #: what the module gives for these calls
    dynamic_shapes: Any  #: for torch.export; free axes by tensor if it is given here
    reports_free: bool  #: whether to say which extents are free
    names: tuple[Sequence[str] | None, Sequence[str] | None]
    modules: Sequence[type[torch.nn.Module] | str]
    check: bool
    rtol: float

    @classmethod
    def of(
        cls,
        module: torch.nn.Module,
        args: Any,
        args2: Any,
        dynamic_shapes: Any,
        dynamic: str | None,
        input_names: Sequence[str] | None,
        output_names: Sequence[str] | None,
        modules: Sequence[type[torch.nn.Module] | str],
        check: bool,
        rtol: float,
    ) -> Request:
        calls = {"args": Call.of(args, "args")}
        if args2 is not None:
            calls["args2"] = Call.of(args2, "args2")
            calls["args"].check_second(calls["args2"])
            if calls["args"].has_ones_beside(calls["args2"]):
                calls = dict(reversed(calls.items()))
            dynamic_shapes = _differing_axes(calls["args"], calls["args2"])
        if dynamic is not None:
            dynamic_shapes = {index: list(range(t.dim())) for index, t in enumerate(calls["args"].tensors)}
        with inference_mode_of(module):
            results = {name: call.run(module) for name, call in calls.items()}
        names = (input_names, output_names)
        wanted = (len(calls["args"].tensors), len(tensors_of(results["args"])))
        for given, count, what in zip(names, wanted, ("input_names", "output_names"), strict=True):
            _check_names(given, count, what)
        return cls(module, calls, results, dynamic_shapes, dynamic is not None, names, modules, check, rtol)


def _differing_axes(one: Call, other: Call) -> dict[int, list[int]]:
    pairs = zip(one.tensors, other.tensors, strict=True)
    return {
        index: [axis for axis, (own, its) in enumerate(zip(a.shape, b.shape, strict=True)) if own != its]
        for index, (a, b) in enumerate(pairs)
    }


def _check_names(names: Sequence[str] | None, count: int, what: str) -> None:
    if names is None:
        return
    if len(names) != count or len(set(names)) != count:
        raise ValueError(f"{what} is {list(names)}, expected {count} different names")
    for name in names:
        if not name or any(letter.isspace() for letter in name):
            raise ValueError(f"{what} holds {name!r}, expected names without blanks")


def write_files(request: Request, via: str, folder: pathlib.Path) -> pathlib.Path:
    """Writes and checks the files, and returns their path without .pnnx.param."""
    if via == "pnnx":
        return _write_by_converter(request, folder)
    try:
        return _write_by_torch(request, folder)
    except ExportError as error:
        if via == "torch":
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

    given = [each for each in request.names if each is not None]
    if given or (request.dynamic_shapes is not None and len(request.calls) == 1):
        raise ExportError(
            "the converter takes no names, and free sizes only from args2: expected via='torch'", ErrorCode.UNSUPPORTED
        )
    with inference_mode_of(request.module):
        log = by_converter.write_by_converter(request.module, request.calls, request.results, request.modules, folder)
    written = folder / STEM
    free = len(request.calls) > 1
    if request.check:
        others = other_calls(request.calls)
        _check(request, written, others, lambda: by_converter.code_of(folder), lambda text: with_hints(text, free), log)
    return written


def _write_by_torch(request: Request, folder: pathlib.Path) -> pathlib.Path:
    from .torch_export.refusals import reason_of
    from .torch_export.write import write_by_torch

    written = folder / STEM
    name, call = next(iter(request.calls.items()))
    with inference_mode_of(request.module), quiet_pytorch():
        try:
            made = write_by_torch(
                request.module, call, request.results[name], request.dynamic_shapes, request.names, written
            )
        except Exception as error:
            message = f"torch.export cannot take {type(request.module).__qualname__}: {reason_of(error)}"
            raise ExportError(message, ErrorCode.UNSUPPORTED) from error
    if len(request.calls) > 1:
        _check_free(made.inputs, made.extents, request.dynamic_shapes)
    if request.reports_free:
        shapes = [
            f"{each} ({', '.join(map(str, shape))})" for each, shape in zip(made.inputs, made.extents, strict=True)
        ]
        warn(f"extents that the module's code does not fix have a letter: {'; '.join(shapes)}")
    report(made)
    if request.check:
        check_written(request, made, written)
    return written


def report(made: Written) -> None:
    """Warns of buffers that are inputs and outputs of the model."""
    if made.states:
        warn(
            f"forward changes the buffers {', '.join(made.states)}: each is an input of the model and an output "
            "NAME.out, which is to be given to the next run"
        )


def check_written(request: Request, made: Written, written: pathlib.Path) -> None:
    """Compares a model that was written by way of torch.export with PyTorch; raises an ExportError if it departs."""
    from .torch_export.other_sizes import calls_of_other_sizes

    name, call = next(iter(request.calls.items()))
    others = other_calls({name: call})
    resized = next(filter(_accepted_by(request.module), calls_of_other_sizes(call, made.extents, made.ranges)), None)
    if resized is not None:
        others |= {f"{text}, of other sizes": each for text, each in other_calls({name: resized}).items()}
    _check(request, written, others, lambda: made.reference, str, states=made.states)


def _accepted_by(module: torch.nn.Module) -> Callable[[Call], bool]:
    """A function that says whether the module runs a call."""

    def accepted(call: Call) -> bool:
        try:
            call.run(module)
        except Exception:
            return False
        return True

    return accepted


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


def _check(
    request: Request,
    written: pathlib.Path,
    others: Mapping[str, Call],
    reference: Callable[[], Reference],
    with_hints: Callable[[str], str],
    log: str = "",
    states: Mapping[str, torch.Tensor] | None = None,
) -> None:
    """Raises an ExportError if the model cannot be run or departs from PyTorch for the given and the other calls.

    `states`: buffers that forward changes, by name: further inputs and outputs of the model.
    """
    states = states or {}

    def run(call: Call) -> list[np.ndarray]:
        result, after = call.run_with_states(request.module, list(states))
        return [to_numpy(tensor) for tensor in [*tensors_of(result), *after]]

    with inference_mode_of(request.module):
        expected = {name: (call, run(call)) for name, call in request.calls.items()}
        more, refused = run_each(run, others)
    for name, error in refused.items():
        warn(f"not compared for {name}, which the module refuses: {error}")
    model = None
    for name, (call, theirs) in {**expected, **more}.items():
        try:
            model = model or Model(f"{written}.pnnx.param")
            inputs = [*call.tensors, *states.values()]
            comparison = compare_with(model, inputs, theirs, reference, request.rtol)
        except KuiperError as error:
            text = str(error).replace(f"{written}.", f"{written.name}.")
            message = with_hints(f"the converted module cannot be run on {name}: {text}")
            raise ExportError(message, error.code, log=log) from None
        if not comparison.equal:
            text = f"the converted module departs from PyTorch's results for {name}\n{comparison}"
            raise ExportError(with_hints(text), ErrorCode.GRAPH, log=log, comparison=comparison)
