# SPDX-License-Identifier: MIT
"""Arrays of rows as a model's inputs, without a number that becomes another one unnoticed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .. import ArrayInfo

_WHOLE, _FLOATING, _COMPLEX = "biu", "f", "c"
_MAY_BECOME = {"b": _WHOLE, "i": _WHOLE, "u": _WHOLE, "f": _WHOLE + _FLOATING, "c": _WHOLE + _FLOATING + _COMPLEX}


def row_shape(info: ArrayInfo, batch_axis: bool) -> tuple[int, ...]:
    """The shape of one row of an input, -1 for free extents."""
    shape = info.shape or ()
    return shape[1:] if batch_axis else shape


def fitted(array: np.ndarray, info: ArrayInfo, batch_axis: bool) -> np.ndarray:
    """The row's array with the rank and type that the input expects.

    Raises ValueError for another rank or kind of numbers, and for a number that is outside of the input's type.
    """
    expected = row_shape(info, batch_axis)
    rank = len(expected)
    if array.ndim == 1 and rank > 1 and min(expected) >= 0 and array.size == math.prod(expected):
        array = array.reshape(expected)  # files often hold an image's numbers as a flat list
    if batch_axis and array.ndim == rank + 1 and array.shape[0] == 1:
        array = array[0]  # the row holds a batch of one
    if array.ndim != rank:
        raise ValueError(f"input '{info.name}': the row has shape {array.shape}, expected {_text(expected)}")
    try:
        return converted(array, np.dtype(info.dtype))
    except ValueError as error:
        raise ValueError(f"input '{info.name}': {error}") from None


def _text(shape: Sequence[int]) -> str:
    return "(" + ", ".join("any" if extent < 0 else str(extent) for extent in shape) + ")"


def converted(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Converts the array's numbers to the type `dtype`. Whole numbers are converted to every type, floating-point
    numbers only to floating-point types, in which they are rounded to the nearest number.

    Raises ValueError if there is no such conversion, or if a number lies outside of the type's range.
    """
    if array.dtype == dtype:
        return array
    if array.dtype.kind not in _MAY_BECOME.get(dtype.kind, ""):
        raise ValueError(f"the row has type {array.dtype}, expected {dtype} or numbers that lose no fraction in it")
    if dtype.kind in _WHOLE:
        low, high = _range_of(dtype)
        if array.size and (int(array.min()) < low or int(array.max()) > high):
            # Python's comparison is exact, NumPy's of signed and unsigned 64-bit integers need not be.
            _refuse(array, np.array([not low <= value <= high for value in array.reshape(-1).tolist()]), dtype)
        return array.astype(dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        result = array.astype(dtype)
    beyond = np.isfinite(array) & ~np.isfinite(result)
    if beyond.any():
        _refuse(array, beyond.reshape(-1), dtype)
    return result


def _range_of(dtype: np.dtype) -> tuple[int, int]:
    return (0, 1) if dtype.kind == "b" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))


def _refuse(array: np.ndarray, wrong: np.ndarray, dtype: np.dtype) -> None:
    """Raises for the first of the elements that are `wrong`."""
    index = np.unravel_index(int(np.argmax(wrong)), array.shape)
    place = f" at [{','.join(map(str, index))}]" if index else ""
    if dtype.kind in _WHOLE:
        low, high = _range_of(dtype)
        limits = f"{low} to {high}"
    else:
        limits = f"finite up to {np.finfo(dtype).max}"
    raise ValueError(
        f"the {array.dtype} number {array[index]}{place} is outside of {dtype}, whose numbers are {limits}"
    )
