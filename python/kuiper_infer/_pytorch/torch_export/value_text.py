# SPDX-License-Identifier: MIT
"""Values of arguments as the file writes them."""

from __future__ import annotations

from typing import Any

import torch

_BLANKS = frozenset(" \t\n\r\v\f")  # these end a word; a no-break space does not
_INT64_MAX = 2**63 - 1
_INT32_MAX = 2**31 - 1


def text_of(value: Any) -> str:
    """Returns the text of a number, a word, an element type or a list of these.

    Raises ValueError for other values, and for words that a line of the file cannot hold.
    """
    if isinstance(value, list | tuple):
        return f"({','.join(text_of(item) for item in value)})"
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int):
        # "Up to the last element": readers know the end of 32 bits for it.
        return str(_INT32_MAX if value == _INT64_MAX else value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, complex):
        return f"{value.real!r}+{value.imag!r}j"
    if isinstance(value, torch.dtype):
        return _type_name(value)
    if isinstance(value, str) and value and not _BLANKS & set(value):
        return value
    raise ValueError(f"{value!r}, a {type(value).__name__}, cannot be written into the file")


_OLD_NAMES = {
    torch.int16: "short",
    torch.int32: "int",
    torch.int64: "long",
    torch.float16: "half",
    torch.float32: "float",
    torch.float64: "double",
}


def _type_name(dtype: torch.dtype) -> str:
    return f"torch.{_OLD_NAMES.get(dtype, str(dtype).removeprefix('torch.'))}"
