# SPDX-License-Identifier: MIT
"""The options of loading a model, by the library's own table of them."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import _core
from ._checks import integer, path, path_bytes


class BuildOption(NamedTuple):
    """A row of the library's table (source/runtime/build_option_table.hpp)."""

    keyword: str  #: of `Model`, and the key in `config.toml`
    kind: str  #: "number", "switch", "word" or "folder"
    none_is_unset: bool  #: whether None is allowed
    least: int  #: of a number
    most: int
    words: tuple[str, ...]
    in_config: bool  #: whether `config.toml` of kuiper-serve has it
    help: str

    def check(self, value: Any, name: str | None = None) -> Any:
        """Returns the value. Raises TypeError or ValueError, by `name` or the keyword, if the option can't have it."""
        name = name or self.keyword
        if value is None and self.none_is_unset:
            return None
        if self.kind == "number":
            return integer(name, value, self.least, self.most)
        if self.kind == "folder":
            return path(name, value)
        if self.kind == "switch":
            if not isinstance(value, bool):
                raise TypeError(
                    f"{name} is {value!r}, expected {'True, False or None' if self.none_is_unset else 'True or False'}"
                )
        elif not isinstance(value, str) or value not in self.words:
            *others, last = (f'"{word}"' for word in self.words)
            raise ValueError(f"{name} is {value!r}, expected {', '.join(others)} or {last}")
        return value


TABLE = {row[0]: BuildOption(*row) for row in _core.build_options()}


def checked(given: dict[str, Any]) -> dict[str, Any]:
    """Returns the options by their keywords. Raises TypeError or ValueError if one of them can't have its value."""
    return {keyword: TABLE[keyword].check(value) for keyword, value in given.items()}


def for_core(options: dict[str, Any]) -> dict[str, Any]:
    """Returns checked options in the form of `_core`, with paths as the system's bytes."""
    folders = {keyword for keyword, option in TABLE.items() if option.kind == "folder"}
    return {
        keyword: path_bytes(keyword, value) if keyword in folders and value is not None else value
        for keyword, value in options.items()
    }
