# SPDX-License-Identifier: MIT
"""Exports PyTorch modules to the converter's files, and compares their results with PyTorch's at once."""

from __future__ import annotations

import os
import pathlib
import re
import tempfile
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _pytorch
from ._comparison import Comparison
from ._errors import ErrorCode, KuiperError
from ._model import Model

if TYPE_CHECKING:
    import torch

    from ._pytorch.calls import Call

    Expected = dict[str, tuple[Call, list[np.ndarray]]]  # by a name for messages: a call and PyTorch's results


class ExportError(KuiperError):
    """A module cannot be exported, or the exported model departs from PyTorch."""

    log: str  #: everything that the converter printed
    comparison: Comparison | None  #: set if results depart from PyTorch's

    def __init__(
        self, message: str, code: ErrorCode | int, *, log: str = "", comparison: Comparison | None = None
    ) -> None:
        super().__init__(message, code)
        self.log = log
        self.comparison = comparison


class ExportWarning(UserWarning):
    """The exported model may hold constants that are right only for the example's data."""


def export(
    module: torch.nn.Module,
    args: Any,
    path: str | os.PathLike[str],
    *,
    args2: Any = None,
    moduleop: Sequence[type[torch.nn.Module] | str] = (),
    check: bool = True,
    rtol: float = 1e-3,
    keep_code: bool = False,
) -> Model:
    """Exports a PyTorch module to `path`.pnnx.param and `path`.pnnx.bin, verifies them, and loads the model.

    `args`: the arguments of the module: a tensor, a tuple of positional arguments or a dictionary of keyword arguments.
    All tensors in it, also in lists and dictionaries, become the model's inputs in their order. Everything else
    (numbers, None) is fixed in the model. The model's outputs are the tensors that the module returns, in their order.
    `args2`: the same arguments with other sizes. Extents that differ are free in the model; all others are the extents
    of `args`. If a free extent is 1 in `args` only, the network is traced with `args2`, because code often treats an
    extent of 1 in another way.
    `moduleop`: classes of modules (or their names in the trace) that are kept whole. Each becomes an operator of that
    type, which you register.
    `check`: whether to run the model and compare every output with PyTorch's: on `args` and `args2`, on other numbers
    in arrays of their shapes and, if the first extent is free, on one more row. The other numbers are the given ones in
    another order, real ones also closer to 0. Whole numbers have to be equal, other numbers to within `rtol` standard
    deviations of the output. If an output departs, the `ExportError` names the first operator that departs, and nothing
    is written.
    `keep_code`: whether to write the converter's PyTorch code, too: `path`_pnnx.py, with which `compare` can name
    operators.

    The module is exported in eval mode; its own mode is restored. If its Python code depends on data, an
    `ExportWarning` lists the places. Needs PyTorch and the converter, the extra `export`.

        model = kuiper_infer.export(net, torch.rand(1, 3, 224, 224), "net", args2=torch.rand(2, 3, 256, 192))
    """
    _pytorch.require("torch", "pnnx")
    import torch

    from ._pytorch import converter
    from ._pytorch.calls import Call

    if not isinstance(module, torch.nn.Module):
        raise TypeError(f"module is a {type(module).__name__}, expected a torch.nn.Module")
    calls = {"args": Call.of(args, "args")}
    if args2 is not None:
        calls["args2"] = Call.of(args2, "args2")
        calls["args"].check_second(calls["args2"])
        if calls["args"].has_ones_beside(calls["args2"]):
            calls = dict(reversed(calls.items()))
    stem = pathlib.Path(os.fspath(path).removesuffix(".param").removesuffix(".pnnx"))
    if not stem.parent.is_dir():
        raise FileNotFoundError(f"{stem.parent}: no such folder to write {stem.name}.pnnx.param into")
    traced, expected = _trace(module, calls)
    others = _expect_of_others(module, calls) if check else {}
    # Beside the files to be, so that these appear whole, by renaming.
    with tempfile.TemporaryDirectory(dir=stem.parent, prefix=f".{stem.name}.") as name:
        folder = pathlib.Path(name)
        try:
            log = converter.convert(traced, list(calls.values()), folder, list(moduleop))
        except converter.ConversionError as error:
            raise ExportError(str(error), ErrorCode.UNSUPPORTED, log=error.log) from None
        written = folder / converter.STEM
        if check:
            given = {name: (call, expected[name]) for name, call in calls.items()}
            _check(written, {**given, **others}, len(calls) > 1, rtol, log)
        param, bin = (f"{stem}.pnnx.{extension}" for extension in ("param", "bin"))
        if keep_code:
            code = pathlib.Path(f"{written}_pnnx.py").read_text()
            code = code.replace(f"'{converter.STEM}.pnnx.bin'", repr(f"{stem.name}.pnnx.bin"))
            stem.with_name(f"{stem.name.replace('-', '_')}_pnnx.py").write_text(code)
        os.replace(f"{written}.pnnx.bin", bin)
        os.replace(f"{written}.pnnx.param", param)
    return Model(param, bin)  # anew, since messages of the one that was checked name the temporary files


def _trace(
    module: torch.nn.Module, calls: dict[str, Call]
) -> tuple[torch.jit.ScriptModule, dict[str, list[np.ndarray]]]:
    """Returns the module traced with the first call, and the outputs of all calls."""
    from ._pytorch.calls import tensors_of, to_numpy
    from ._pytorch.tracing import inference_mode_of, run_traced, trace

    with inference_mode_of(module):
        results = {name: call.run(module) for name, call in calls.items()}
        expected = {name: [to_numpy(tensor) for tensor in tensors_of(result)] for name, result in results.items()}
        (first, call), *others = calls.items()
        try:
            traced, places = trace(module, call, results[first])
        except Exception as error:
            message = f"PyTorch cannot trace {type(module).__qualname__}, although it runs: {error}"
            raise ExportError(message, ErrorCode.UNSUPPORTED) from error
    if places:
        listed = "\n".join(f"  {place}" for place in places)
        message = f"what Python computes from tensors is fixed as it was for the example's data and sizes:\n{listed}"
        warnings.warn(ExportWarning(message), stacklevel=3)
    for name, other in others:
        try:
            run_traced(traced, other)
        except Exception as error:
            message = f"what PyTorch traced with {first} cannot be run on {name}, the sizes of {first} are part of it"
            raise ExportError(f"{message}:\n{_innermost(error)}", ErrorCode.UNSUPPORTED) from error
    return traced, expected


def _expect_of_others(module: torch.nn.Module, calls: dict[str, Call]) -> Expected:
    """Returns calls with other numbers and another batch than the given calls, with PyTorch's results."""
    from ._pytorch.tracing import inference_mode_of
    from ._pytorch.varying import other_calls, run_each

    with inference_mode_of(module):
        expected, refused = run_each(module, other_calls(calls))
    for name, error in refused.items():
        warnings.warn(ExportWarning(f"not compared for {name}, which the module refuses: {error}"), stacklevel=3)
    return expected


def _innermost(error: Exception) -> str:
    """Takes the fault and its place in the module's code from the text of an error that a traced module raised."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    places = [line for line in lines if re.match(r".*\.py\(\d+\): ", line)]
    return "\n".join(f"  {line}" for line in [*places[:1], *lines[-1:]])


def _check(
    written: pathlib.Path,
    expected: Expected,
    free_sizes: bool,
    rtol: float,
    log: str,
) -> None:
    """Raises an ExportError if the model of these files cannot be run or departs from PyTorch."""
    from ._pytorch.comparing import compare_with
    from ._pytorch.converter import with_hints

    code = pathlib.Path(f"{written}_pnnx.py")
    model = None
    for name, (call, theirs) in expected.items():
        try:
            model = model or Model(f"{written}.pnnx.param")
            comparison = compare_with(model, call.tensors, theirs, code, rtol)
        except KuiperError as error:
            text = str(error).replace(f"{written}.", f"{written.name}.")
            message = with_hints(f"the converted module cannot be run on {name}: {text}", free_sizes)
            raise ExportError(message, error.code, log=log) from None
        if not comparison.equal:
            text = f"the converted module departs from PyTorch's results for {name}\n{comparison}"
            message = with_hints(text, free_sizes)
            raise ExportError(message, ErrorCode.GRAPH, log=log, comparison=comparison)
