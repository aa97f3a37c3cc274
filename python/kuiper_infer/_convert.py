# SPDX-License-Identifier: MIT
"""Converts programs that torch.export.save wrote into the files of models: `kuiper convert net.pt2`."""

from __future__ import annotations

import argparse
import os
import pathlib
import sys
from collections.abc import Sequence

from . import _pytorch
from ._errors import KuiperError
from ._model import Model
from ._model_files import folder_beside, put_in_place, stem_of


def convert(
    program: str | os.PathLike[str],
    path: str | os.PathLike[str] | None = None,
    *,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    check: bool = True,
    rtol: float = 1e-3,
) -> Model:
    """Converts a file of `torch.export.save` to `path`.pnnx.param and `path`.pnnx.bin, and loads the model.

    `program`: the file, such as net.pt2. It holds a graph, so the module's code is not needed; PyTorch is.
    `path`: where the model's files are to be, by default beside the program and of its name.
    `input_names`, `output_names`: names for the model's inputs and outputs instead of the names in the program.
    `check`, `rtol`: as for `export`. The check calls the program with the arguments that it was exported with.

        model = kuiper_infer.convert("net.pt2")
    """
    _pytorch.require("torch")
    from ._pytorch.converting import convert_file

    given = pathlib.Path(os.fspath(program))
    stem = stem_of(path or given.with_suffix(""))
    with folder_beside(stem) as folder:
        return put_in_place(convert_file(given, folder, (input_names, output_names), check, rtol), stem)


def main(arguments: Sequence[str]) -> int:
    """The command `kuiper convert`. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="kuiper convert", description="Converts a program of torch.export.save into the two files of a model."
    )
    parser.add_argument("program", metavar="NET.pt2")
    parser.add_argument("--output", metavar="STEM", help="the files are STEM.pnnx.param and STEM.pnnx.bin")
    parser.add_argument("--no-check", action="store_true", help="do not compare the model with PyTorch")
    parser.add_argument("--rtol", type=float, default=1e-3, help="tolerance in standard deviations of an output")
    given = parser.parse_args(arguments)
    try:
        model = convert(given.program, given.output, check=not given.no_check, rtol=given.rtol)
    except (KuiperError, OSError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{model.param}: {', '.join(map(str, model.inputs))}")
    return 0
