# SPDX-License-Identifier: MIT
"""Why PyTorch does not export a module, in one message with the user's line."""

from __future__ import annotations

import pathlib
import re
import traceback

import torch

# Lines of PyTorch's messages that tell nothing of the module.
_EMPTY = re.compile(
    r"For (more|extended)|If you|The following call|Please|To fix|Set TORCH|Refer|Caused by: .*__torch_function__"
)
_TORCH = str(pathlib.Path(torch.__file__).parent)


def reason_of(error: BaseException) -> str:
    """Returns the first lines of PyTorch's message, and the innermost line of code that is not PyTorch's."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    kept = [line for line in lines if not _EMPTY.match(line)]
    message = "; ".join(kept[:2]) or type(error).__name__
    place = _place(error)
    return f"{message} ({place})" if place else message


def _place(error: BaseException) -> str:
    """file:line of the user's code: PyTorch writes it into some messages, of others the stack tells it."""
    written = re.findall(r'File "([^"]+)", line (\d+)', str(error))
    frames = traceback.extract_tb(error.__traceback__)
    known = [(frame.filename, str(frame.lineno)) for frame in frames]
    own = [
        f"{file}:{line}"
        for file, line in written or known
        if not file.startswith((_TORCH, str(pathlib.Path(__file__).parents[2]))) and not file.startswith("<")
    ]
    return own[-1] if own else ""
