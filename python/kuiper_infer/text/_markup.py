# SPDX-License-Identifier: MIT
"""Keeps the names of special tokens in what people say apart from those that a template writes."""

from __future__ import annotations

import re
import secrets
from typing import Any

from ._tokenizer import Tokenizer

_DEEPEST = 64  # lists and dictionaries in each other


class Hidden:
    """Values in whose texts a placeholder stands for each name of a special token."""

    def __init__(self, names: re.Pattern[str] | None, values: dict[str, Any]) -> None:
        self._names = names
        self._mark = str(secrets.randbits(64))  # nobody knows it beforehand
        self._found: list[str] = []
        self.values: dict[str, Any] = self._hide(values, 0)

    def parts(self, text: str) -> list[tuple[str, bool]]:
        """Divides what a template made of the values: the names are text, everything else is markup."""
        pieces = re.split(f"\ue000{self._mark}:([0-9]+)\ue001", text)
        parts = [(piece, True) if index % 2 == 0 else (self._name(piece), False) for index, piece in enumerate(pieces)]
        return [part for part in parts if part[0]]

    def _name(self, number: str) -> str:
        index = int(number) if len(number) < 10 else len(self._found)
        return self._found[index] if index < len(self._found) else ""

    def _hide(self, value: Any, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError(f"messages and tools have more than {_DEEPEST} lists and dictionaries in each other")
        if isinstance(value, str):
            return value if self._names is None else self._names.sub(self._placeholder, value)
        if isinstance(value, dict):
            return {self._hide(key, depth + 1): self._hide(each, depth + 1) for key, each in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._hide(each, depth + 1) for each in value]
        return value

    def _placeholder(self, match: re.Match[str]) -> str:
        self._found.append(match[0])
        return f"\ue000{self._mark}:{len(self._found) - 1}\ue001"


class Markup:
    """The special tokens of a tokenizer by their names."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokens = {tokenizer.name(token): token for token in range(tokenizer.size) if tokenizer.special(token)}
        names = sorted(filter(None, self._tokens), key=len, reverse=True)
        self._names = re.compile("|".join(map(re.escape, names))) if names else None
        beginning, endings = tokenizer.beginning, tokenizer.endings
        self.variables = {
            "bos_token": "" if beginning is None else tokenizer.name(beginning),
            "eos_token": tokenizer.name(endings[0]) if endings else "",
        }

    def hide(self, values: dict[str, Any]) -> Hidden:
        """Puts placeholders in the place of the names in all texts of `values`."""
        return Hidden(self._names, values)

    def pieces(self, text: str) -> list[str | int]:
        """Divides a text at the names of special tokens: texts that are not empty, and tokens."""
        if self._names is None:
            return [text] if text else []
        parts = re.split(f"({self._names.pattern})", text)
        return [self._tokens.get(part, part) for part in parts if part]

    def first(self, text: str) -> list[int]:
        """Returns the tokens whose names the text holds, in their order."""
        return [] if self._names is None else [self._tokens[name] for name in self._names.findall(text)]
