# SPDX-License-Identifier: MIT
"""The library's errors as exceptions."""

from __future__ import annotations

import enum

from . import _core


class ErrorCode(enum.IntEnum):
    """The kind of fault that a `KuiperError` reports; the numbers are those of the C interface."""

    FILE = 1  #: a file is absent, unreadable, truncated or not in the expected format
    GRAPH = 2  #: the graph is inconsistent
    UNSUPPORTED = 3  #: an operator type or an option that the library does not have
    ARGUMENT = 4  #: an operator's parameter, attribute or input is missing or of the wrong kind or value
    SHAPE = 5  #: shapes that do not fit together
    INPUT = 6  #: an unknown name, a wrong number of inputs, a wrong rank, element type or shape
    STATE = 7  #: a call at the wrong time
    RESOURCE = 8  #: more memory than allowed or available
    CANCELLED = 9  #: `CancelToken.cancel` was called
    DEADLINE = 10  #: the deadline passed


class KuiperError(RuntimeError):
    """A fault of a model, its files or its inputs.

    The text names the culprit (a file and line, or an operator), what was found and what was expected. Wrong Python
    arguments raise `TypeError` and `ValueError` instead.

    >>> import kuiper_infer
    >>> try:
    ...     kuiper_infer.Model("absent.pnnx.param")
    ... except kuiper_infer.KuiperError as error:
    ...     print(error.code.name)
    FILE
    """

    code: ErrorCode

    def __init__(self, message: str, code: ErrorCode | int) -> None:
        super().__init__(message)
        self.code = ErrorCode(code)

    def __reduce__(self) -> tuple[type[KuiperError], tuple[str, int]]:
        return type(self), (str(self), int(self.code))


_core.raise_errors_as(KuiperError)
