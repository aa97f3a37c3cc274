# SPDX-License-Identifier: MIT
"""Runs the converter, which is a program of its own that comes with the package pnnx."""

from __future__ import annotations

import pathlib
import re
import signal
import subprocess

import numpy as np
import pnnx
import torch

from . import STEM
from .calls import Call

# Messages of the converter, and advice for each.
_HINTS = (
    (
        r"same dtype|Half|BFloat16|c10::BFloat",
        "the converter loads weights as float32: export module.float() with float32 inputs, and convert inside of "
        "forward where an operator is to compute in half precision",
    ),
    (r"prim::(If|Loop)", "the module holds `if` or loops over data: trace it instead of scripting it"),
    (
        r"departs from PyTorch's results for other numbers",
        "the file holds numbers of the example: those of `if` and loops over data, or an array that does not depend on "
        "the inputs and is written in place, which the converter stores as its own run left it: write out of place, or "
        "give args2 with other sizes",
    ),
    (r"Encountering a dict|cannot be traced", "return a tensor or a tuple of tensors, and take tensors as arguments"),
)

_HINT_OF_FREE_SIZES = (
    r"departs, is \w+\(|cannot be broadcast",
    "of an axis whose extent is free, the converter loses slices by numbers, as x[:, 1:]; it keeps "
    "x.narrow(1, 1, x.shape[1] - 1)",
)


class ConversionError(Exception):
    """The converter failed; the text has its reason, `log` everything that it printed."""

    def __init__(self, message: str, log: str) -> None:
        super().__init__(message)
        self.log = log


def convert(
    traced: torch.jit.ScriptModule,
    calls: list[Call],
    folder: pathlib.Path,
    modules: list[type[torch.nn.Module] | str],
) -> str:
    """Writes the converter's files into the folder and returns what it printed. `calls`: one, or two of other sizes.

    The converter gets the arrays themselves, not only their shapes: it executes parts of the network, and index numbers
    that it drew itself could lie outside of a table.
    """
    try:
        traced.save(str(folder / f"{STEM}.pt"))
    except RuntimeError as error:  # of functions in Python, which a trace cannot hold
        raise ConversionError(
            f"PyTorch cannot write the trace into a file: {str(error).strip().splitlines()[0]}", ""
        ) from error
    # Files for other engines are not wanted: a file without a name cannot be opened, which the converter passes over.
    command = [pnnx.EXEC_PATH, f"{STEM}.pt", "pnnxonnx=", "ncnnparam=", "ncnnbin=", "ncnnpy="]
    for option, call in zip(("input", "input2"), calls, strict=False):
        files = [f"{option}_{index}.npy" for index in range(len(call.tensors))]
        for file, tensor in zip(files, call.tensors, strict=True):
            np.save(folder / file, tensor.detach().resolve_conj().resolve_neg().numpy())
        command.append(f"{option}={','.join(files)}")
    if modules:
        command.append(f"moduleop={','.join(_traced_name(module) for module in modules)}")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    log = done.stdout + done.stderr
    # The code is the last of the three files, and this is at its end. What comes after it is for other engines; it may
    # fail, and does for weights of type float64.
    code = folder / f"{STEM}_pnnx.py"
    if not code.exists() or "__main__" not in code.read_text():
        raise ConversionError(_reason(log, done.returncode), log)
    return log


def _traced_name(module: type[torch.nn.Module] | str) -> str:
    """The name of a class in traced modules, such as models.common.Focus."""
    if isinstance(module, str):
        return module
    return module.__name__ if module.__module__ == "__main__" else f"{module.__module__}.{module.__name__}"


def _reason(log: str, returncode: int) -> str:
    """The lines that tell why the converter failed."""
    errors = [line.strip() for line in log.splitlines() if re.search(r"what\(\):|Error:|expect|fail", line)]
    errors = [line for line in errors if "fopen" not in line and "write onnx failed" not in line]
    how = f"ended by {signal.Signals(-returncode).name}" if returncode < 0 else f"ended with status {returncode}"
    lines = list(dict.fromkeys(errors)) or [line for line in log.splitlines() if line.strip()][-5:]
    return with_hints("\n".join([f"the converter {how}", *(f"  {line}" for line in lines)]))


def with_hints(message: str, free_sizes: bool = False) -> str:
    """Returns the message and, if the cause is known, a hint."""
    hints = (*_HINTS, _HINT_OF_FREE_SIZES) if free_sizes else _HINTS
    return "\n".join([message, *(hint for pattern, hint in hints if re.search(pattern, message))])
