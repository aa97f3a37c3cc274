# SPDX-License-Identifier: MIT
"""Checks of what crosses from Python into C++, with messages that name the argument."""

from __future__ import annotations

import operator
import os
from typing import Any

MOST_COUNT = 2**31 - 1
MOST_EXTENT = 2**63 - 1


def integer(name: str, value: Any, least: int, most: int = MOST_COUNT) -> int:
    """The value as an int; TypeError where it is none, ValueError outside of the limits."""
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
    """The value as a float; TypeError where it is no number that a float can hold."""
    try:
        if not isinstance(value, (str, bytes, bytearray)):
            return float(value)
    except (TypeError, OverflowError):
        pass
    raise TypeError(f"{name} is {value!r}, expected a number")


def numbers(name: str, values: Any, count: int | None = None) -> list[float]:
    """The values as floats; so many where a count is given."""
    try:
        given = list(values)
    except TypeError:
        raise TypeError(f"{name} is {values!r}, expected a sequence of numbers") from None
    if count is not None and len(given) != count:
        raise ValueError(f"{name} has {len(given)} numbers, expected {count}")
    return [number(name, value) for value in given]


def text(name: str, value: Any) -> str:
    """The value, where it is text that UTF-8 can write."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is {value!r}, expected text")
    if "\0" in value or any("\ud800" <= c <= "\udfff" for c in value):
        raise ValueError(f"{name} is {value!r}, expected text without NUL characters and surrogates")
    return value


def path(name: str, value: Any) -> str:
    """A path as text, in which bytes that are no UTF-8 are surrogates, as in `os.listdir`'s."""
    try:
        text = os.fsdecode(value)
    except TypeError:
        raise TypeError(f"{name} is {type(value).__name__}, expected a path") from None
    if "\0" in text:
        raise ValueError(f"{name} is {text!r}, which no path can be: it has a NUL character")
    return text


def path_bytes(name: str, text: str) -> bytes:
    """The path as the system has it."""
    try:
        return os.fsencode(text)
    except UnicodeEncodeError:
        raise ValueError(f"{name} is {text!r}, which no path can be: it has surrogates of no byte") from None
