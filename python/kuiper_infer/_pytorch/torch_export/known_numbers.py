# SPDX-License-Identifier: MIT
"""Tells code the elements of arrays that it makes of numbers, such as `torch.arange(1, x.dim()).tolist()`.

To PyTorch's exporter, the elements of all arrays of two or more elements are unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils.weak import WeakIdKeyDictionary

_MAKERS = {torch.arange, torch.full, torch.linspace, torch.ones, torch.tensor, torch.zeros}
_MOST_ELEMENTS = 64


class KnownNumbers(torch.overrides.TorchFunctionMode):
    """While this is active, `item` and `tolist` give numbers for such arrays, until code writes into them."""

    def __init__(self) -> None:
        super().__init__()
        self._known: Any = WeakIdKeyDictionary()  #: by array the one with its numbers, and how often it was written

    def __torch_function__(
        self,
        function: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        kwargs = kwargs or {}
        if function is torch.Tensor.item and (value := self._value(args[0])) is not None:
            with _disable_current_modes():
                return value.item()
        made = function(*args, **kwargs)
        if function in _MAKERS and _are_numbers([*args, *kwargs.values()]) and made.numel() <= _MOST_ELEMENTS:
            with _disable_current_modes():
                self._note(made, function(*args, **kwargs))
        elif function is torch.Tensor.unbind and (value := self._value(args[0])) is not None:
            with _disable_current_modes():
                parts = value.unbind(*args[1:], **kwargs)
            for part, known in zip(made, parts, strict=True):
                self._note(part, known)
        return made

    def _note(self, made: torch.Tensor, value: torch.Tensor) -> None:
        self._known[made] = value, made._version

    def _value(self, array: torch.Tensor) -> torch.Tensor | None:
        value, version = self._known.get(array, (None, 0))
        return value if value is not None and array._version == version else None


def _are_numbers(values: Iterable[Any]) -> bool:
    """Whether no value is a tensor, or a size that may be another one when the model runs."""
    return not any(
        isinstance(each, torch.Tensor | torch.SymInt | torch.SymFloat | torch.SymBool)
        or (isinstance(each, list | tuple) and not _are_numbers(each))
        for each in values
    )
