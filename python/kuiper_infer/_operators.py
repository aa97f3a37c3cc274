# SPDX-License-Identifier: MIT
"""Operators that are computed by Python functions."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _core
from ._checks import text

Function = TypeVar("Function", bound=Callable[..., Any])


class _Operator(NamedTuple):
    """The functions that describe an operator's outputs and compute them."""

    infer: Callable[..., Any]
    compute: Callable[..., Any]


operators: dict[str, _Operator] = {}  #: by type; the library looks here


def register(
    type: str,
    *,
    shapes: Callable[..., Sequence[int] | list[Sequence[int]]] | None = None,
    dtypes: str | Sequence[str] | None = None,
) -> Callable[[Function], Function]:
    """A decorator: the function below it computes all operators of this type.

    The function gets the operator's inputs as arrays, and its weights and parameters by their names in the file. It
    returns an array, or a tuple of arrays for several outputs.

    `shapes` is a function that gets the inputs' shapes, and weights and parameters by name. It returns the output's
    shape, or a list of shapes for several outputs. Without `shapes` there is one output of the first input's shape.
    `dtypes` names the outputs' element types, one for all or one for each. Without it they are the first input's.

    >>> @register("net.Wave")
    ... def wave(x, *, amplitude, frequency):
    ...     return amplitude * np.sin(frequency * x)

    Registering a type again replaces the function, even for models that are loaded already; their shapes stay as they
    were planned. The function is called with the GIL held, and by several threads if several threads run the model.
    """

    def infer(
        inputs: list[tuple[str, tuple[int, ...]]], attributes: dict[str, Any]
    ) -> list[tuple[str, tuple[int, ...]]]:
        made: Any = inputs[0][1] if shapes is None else shapes(*(shape for _, shape in inputs), **attributes)
        several = isinstance(made, list) and not all(isinstance(each, int) for each in made)
        outputs = [tuple(shape) for shape in made] if several else [tuple(made)]
        names = inputs[0][0] if dtypes is None else dtypes
        types = [names] * len(outputs) if isinstance(names, str) else list(names)
        return [(np.dtype(name).name, shape) for name, shape in zip(types, outputs, strict=True)]

    def decorate(function: Function) -> Function:
        def compute(inputs: list[np.ndarray], attributes: dict[str, Any]) -> Sequence[Any]:
            result = function(*inputs, **attributes)
            return result if isinstance(result, (tuple, list)) else (result,)

        if type not in operators:
            _core.register_operator(text("type", type))
        operators[type] = _Operator(infer, compute)
        return function

    return decorate


def import_modules(names: Sequence[str]) -> None:
    """Imports modules that register operators, for the programs. Raises ValueError that names a module which fails."""
    for name in names:
        try:
            importlib.import_module(name)
        except Exception as error:  # a module's own code runs here
            raise ValueError(f"module '{name}' can't be imported: {type(error).__name__}: {error}") from error
