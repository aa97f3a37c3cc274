# SPDX-License-Identifier: MIT
"""What an export raises and warns of. Needs no PyTorch."""

from __future__ import annotations

import inspect
import pathlib
import warnings

from .._comparison import Comparison
from .._errors import ErrorCode, KuiperError


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
    """The exported model may be other than expected: the text says in what."""


_PACKAGE = str(pathlib.Path(__file__).parent.parent)


def warn(message: str) -> None:
    """Warns at the line of the program that called this package."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    place = (frame.f_code.co_filename, frame.f_lineno) if frame is not None else (__file__, 0)
    warnings.warn_explicit(ExportWarning(message), None, *place)
