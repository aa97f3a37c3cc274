# SPDX-License-Identifier: MIT
"""Checks of arguments that Python passes to C++, with messages that name the argument."""

from __future__ import annotations

import operator
import os
from typing import Any

MOST_COUNT = 2**31 - 1
MOST_EXTENT = 2**63 - 1


def integer(name: str, value: Any, least: int, most: int = MOST_COUNT) -> int:
    """Returns the value as an int. Raises TypeError if it is no integer, ValueError if it is outside of the limits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, expected an int") from None
    if not least <= number <= most:
        raise ValueError(
            f"{name} is {value}, expected {least} or more" + (f", at most {most}" if number > most else "")
        )
    return number


def number(name: str, value: Any) -> float:
    """Returns the value as a float. Raises TypeError if it is not a number that a float can hold."""
    try:
        if not isinstance(value, (str, bytes, bytearray)):
            return float(value)
    except (TypeError, OverflowError):
        pass
    raise TypeError(f"{name} is {value!r}, expected a number")


def numbers(name: str, values: Any, count: int | None = None) -> list[float]:
    """Returns the values as floats. If `count` is given, raises ValueError for another number of values."""
    try:
        given = list(values)
    except TypeError:
        raise TypeError(f"{name} is {values!r}, expected a sequence of numbers") from None
    if count is not None and len(given) != count:
        raise ValueError(f"{name} has {len(given)} numbers, expected {count}")
    return [number(name, value) for value in given]


def text(name: str, value: Any) -> str:
    """Returns the value. Raises TypeError or ValueError unless it is text that UTF-8 can encode, without NUL."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is {value!r}, expected text")
    if "\0" in value or any("\ud800" <= c <= "\udfff" for c in value):
        raise ValueError(f"{name} is {value!r}, expected text without NUL characters and surrogates")
    return value


def path(name: str, value: Any) -> str:
    """Returns a path as text. Bytes that are not UTF-8 become surrogates, as in the results of `os.listdir`."""
    try:
        text = os.fsdecode(value)
    except TypeError:
        raise TypeError(f"{name} is {type(value).__name__}, expected a path") from None
    if "\0" in text:
        raise ValueError(f"{name} is {text!r}, expected a path without NUL characters")
    return text


def path_bytes(name: str, text: str) -> bytes:
    """Returns the bytes of a path that `path` has returned, surrogates turned back into bytes."""
    try:
        return os.fsencode(text)
    except UnicodeEncodeError:
        raise ValueError(f"{name} is {text!r}, expected a path without lone surrogates") from None
