# SPDX-License-Identifier: MIT
"""Compares a model's results with PyTorch's, and names the first operator whose result departs."""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING, Any

from . import _pytorch
from ._comparison import Comparison
from ._errors import KuiperError
from ._model import Model

if TYPE_CHECKING:
    import torch


def compare(
    param: str | os.PathLike[str],
    bin: str | os.PathLike[str] | None = None,
    *,
    inputs: Any,
    reference: torch.nn.Module | str | os.PathLike[str] | None = None,
    rtol: float = 1e-3,
) -> Comparison:
    """Compares the results of a model's two files with PyTorch's.

    `inputs`: a tensor or array, a tuple of the module's arguments, or a dictionary of its keyword arguments.
    `reference`: the PyTorch module, or the path of the converter's PyTorch code (which is run as Python code). By
    default it is the code beside the model, `x_pnnx.py` for `x.pnnx.param`.
    `rtol`: how far an element may be from PyTorch's, in standard deviations of the output. Whole numbers have to be
    equal.

    If an output departs, the arrays between the operators are compared with those of the converter's code in order,
    and the first one that departs is named. The converter's code reads its weights from the `.bin` file in its own
    folder: if the weights of the model have been changed, the comparison shows where.

    Needs PyTorch: `pip install torch --index-url https://download.pytorch.org/whl/cpu`.
    """
    _pytorch.require("torch")
    import torch

    from ._pytorch.calls import Call, tensors_of, to_numpy
    from ._pytorch.comparing import compare_with
    from ._pytorch.converter_code import CodeError, ConverterCode
    from ._pytorch.tracing import inference_mode_of

    model = Model(param, bin)
    call = Call.of(inputs, "inputs")
    if isinstance(reference, torch.nn.Module):
        beside = _code_beside(param)
        with inference_mode_of(reference):
            expected = [to_numpy(tensor) for tensor in tensors_of(call.run(reference))]
        code_beside = (lambda: ConverterCode(beside, model.bin)) if beside.exists() else None
        return compare_with(model, call.tensors, expected, code_beside, rtol)
    code = _code_beside(param) if reference is None else pathlib.Path(reference)
    if not code.exists():
        raise FileNotFoundError(f"{code}: no such file, expected the converter's PyTorch code or a module as reference")
    try:
        program = ConverterCode(code, model.bin)
        expected = [to_numpy(tensor) for tensor in program.outputs(call.tensors)]
    except CodeError as error:
        raise KuiperError(f"{error}; expected a PyTorch module as reference instead", error.code) from error
    return compare_with(model, call.tensors, expected, lambda: program, rtol)


def _code_beside(param: str | os.PathLike[str]) -> pathlib.Path:
    """Returns the path of the converter's PyTorch code: x_pnnx.py for x.pnnx.param, with `_` in place of `-`."""
    path = pathlib.Path(param)
    stem = path.name.removesuffix(".param").removesuffix(".pnnx")
    return path.with_name(f"{stem.replace('-', '_')}_pnnx.py")
