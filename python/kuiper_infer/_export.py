# SPDX-License-Identifier: MIT
"""Exports PyTorch modules to the files of models, and compares their results with PyTorch's at once."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from . import _pytorch
from ._model import Model
from ._model_files import folder_beside, put_in_place, stem_of
from ._pytorch.export_errors import ExportError, ExportWarning
from ._states import State, checked_states

if TYPE_CHECKING:
    import torch

__all__ = ["ExportError", "ExportWarning", "export"]


def export(
    module: torch.nn.Module,
    args: Any,
    path: str | os.PathLike[str],
    *,
    args2: Any = None,
    via: Literal["auto", "torch", "pnnx"] = "auto",
    dynamic_shapes: Any = None,
    dynamic: Literal["auto"] | None = None,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    states: Mapping[str, str | State] | None = None,
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
    of `args`.
    `via`: how the graph is taken from the module. "torch" uses `torch.export`, "pnnx" a trace and the converter of the
    package pnnx. "auto" takes "torch" and, if PyTorch cannot export the module, "pnnx", with an `ExportWarning` that
    says why.
    `dynamic_shapes`: which extents are free and in what range, as `torch.export.export` takes it. `dynamic="auto"`
    leaves every extent free that the module's code does not fix; an `ExportWarning` lists the extents of each input.
    `input_names`, `output_names`: names for the model's inputs and outputs. By default they are the names of forward's
    arguments and the keys or fields of what it returns. `path` and these names apply to `via="torch"`.
    `states`: names of inputs by those of the outputs that hold their next values, such as a longer cache. The file says
    it by `state=N` on the input's line, and by `window=N` if a `State` has a window. The keys and values of a cache
    object of transformers, which forward takes and returns, are states without being named. Applies to `via="torch"`;
    a pair that cannot match is a ValueError.
    `moduleop`: classes of modules (or their names in the trace) that are kept whole. Each becomes an operator of that
    type, which you register. `keep_code`: whether to write the converter's PyTorch code, too: `path`_pnnx.py, with
    which `compare` can name operators. Both need the converter, so "auto" takes "pnnx".
    `check`: whether to run the model and compare every output with PyTorch's: on `args` and `args2`, on other numbers
    in arrays of their shapes and, if extents are free, on other sizes. The other numbers are the given ones in another
    order, real ones also closer to 0. Whole numbers have to be equal, other numbers to within `rtol` standard
    deviations of the output. If an output departs, the `ExportError` names the first operator that departs, and nothing
    is written.

    A buffer that forward changes becomes a state of its name, whose first value is the buffer's; a session of the model
    keeps states from run to run (docs/state.md). The module is exported in eval mode; its own mode is restored. Needs
    PyTorch, and for `via="pnnx"` the converter: the extra `export`.

        model = kuiper_infer.export(net, torch.rand(1, 3, 224, 224), "net", args2=torch.rand(2, 3, 256, 192))
    """
    _pytorch.require("torch")
    import torch

    from ._pytorch.exporting import write_files
    from ._pytorch.request import Request

    if not isinstance(module, torch.nn.Module):
        raise TypeError(f"module is a {type(module).__name__}, expected a torch.nn.Module")
    if via not in ("auto", "torch", "pnnx"):
        raise ValueError(f"via is {via!r}, expected 'auto', 'torch' or 'pnnx'")
    if dynamic not in (None, "auto"):
        raise ValueError(f"dynamic is {dynamic!r}, expected None or 'auto'")
    if via == "torch" and (moduleop or keep_code):
        raise ValueError("moduleop and keep_code need the converter, expected via='pnnx'")
    if sum(given is not None for given in (args2, dynamic_shapes, dynamic)) > 1:
        raise ValueError("args2, dynamic_shapes and dynamic say which extents are free, expected one of them")
    stem = stem_of(path)
    names = (input_names, output_names)
    pairs = checked_states(states)
    request = Request.of(module, args, args2, dynamic_shapes, dynamic, *names, moduleop, check, rtol, pairs)
    with folder_beside(stem) as folder:
        written = write_files(request, "pnnx" if moduleop or keep_code else via, folder)
        if keep_code:
            code = pathlib.Path(f"{written}_pnnx.py").read_text()
            code = code.replace(f"'{written.name}.pnnx.bin'", repr(f"{stem.name}.pnnx.bin"))
            stem.with_name(f"{stem.name.replace('-', '_')}_pnnx.py").write_text(code)
        return put_in_place(written, stem)
