# SPDX-License-Identifier: MIT
"""Compares a model that was just written with PyTorch."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import torch

from .._errors import ErrorCode, KuiperError
from .._model import Model
from .calls import Call, tensors_of, to_numpy
from .comparing import compare_with
from .export_errors import ExportError, warn
from .reference import Reference
from .request import Request
from .tracing import inference_mode_of
from .varying import other_calls, run_each

if TYPE_CHECKING:
    from .torch_export.write import Written


def check_written(request: Request, made: Written, written: pathlib.Path) -> None:
    """Compares a model that was written by way of torch.export with PyTorch; raises an ExportError if it departs."""
    from .torch_export.other_sizes import call_of_smallest_sizes, calls_of_other_sizes

    name, call = next(iter(request.calls.items()))
    others = other_calls({name: call})
    accepted = _accepted_by(request.module)
    resized = next(filter(accepted, calls_of_other_sizes(call, made.extents, made.ranges)), None)
    if resized is not None:
        others |= {f"{text}, of other sizes": each for text, each in other_calls({name: resized}).items()}
    smallest = call_of_smallest_sizes(call, made.extents, made.ranges)
    if smallest is not None and accepted(smallest):
        others |= {f"{text}, of sizes of 1": each for text, each in other_calls({name: smallest}).items()}
    check(request, written, others, lambda: made.reference, str, states=made.states)


def _load_without_states(written: pathlib.Path) -> Model:
    """Loads a model such that its states are ordinary inputs and outputs, whose values can be compared."""
    param = pathlib.Path(f"{written}.pnnx.param")
    text = param.read_bytes()
    without = re.sub(rb"^(pnnx\.Input .*?) state=\S+(?: window=\S+)?", rb"\1", text, flags=re.MULTILINE)
    if without == text:
        return Model(param)
    beside = pathlib.Path(f"{written}.stateless.pnnx.param")
    beside.write_bytes(without)
    try:
        return Model(beside, f"{written}.pnnx.bin")
    finally:
        beside.unlink()


def _accepted_by(module: torch.nn.Module) -> Callable[[Call], bool]:
    """A function that says whether the module runs a call."""

    def accepted(call: Call) -> bool:
        try:
            call.run(module)
        except Exception:
            return False
        return True

    return accepted


def check(
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

    def known(name: str, call: Call) -> list[np.ndarray]:
        """The results that the request has; what is left in the states only another run tells."""
        return run(call) if states else [to_numpy(tensor) for tensor in tensors_of(request.results[name])]

    with inference_mode_of(request.module):
        expected = {name: (call, known(name, call)) for name, call in request.calls.items()}
        more, refused = run_each(run, others)
    for name, error in refused.items():
        warn(f"not compared for {name}, which the module refuses: {error}")
    model = None
    for name, (call, theirs) in {**expected, **more}.items():
        try:
            model = model or _load_without_states(written)
            inputs = [*call.tensors, *states.values()]
            comparison = compare_with(model, inputs, theirs, reference, request.rtol)
        except KuiperError as error:
            text = str(error).replace(f"{written}.", f"{written.name}.")
            message = with_hints(f"the converted module cannot be run on {name}: {text}")
            raise ExportError(message, error.code, log=log) from None
        if not comparison.equal:
            text = f"the converted module departs from PyTorch's results for {name}\n{comparison}"
            raise ExportError(with_hints(text), ErrorCode.GRAPH, log=log, comparison=comparison)
