# SPDX-License-Identifier: MIT
"""A model's inputs as a caller gives them: arrays, or their shapes, in the order of the inputs or by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, Union

from ._checks import MOST_EXTENT, integer
from ._errors import ErrorCode, KuiperError

if TYPE_CHECKING:
    from typing_extensions import Buffer

Value = TypeVar("Value")


class SupportsDlpack(Protocol):
    """An object that exports its memory by DLPack, such as a tensor of PyTorch."""

    def __dlpack__(self) -> Any: ...


Array = Union["Buffer", SupportsDlpack]
"""What models read: NumPy's arrays, PyTorch's tensors on the CPU, and all else with the buffer protocol or DLPack."""

_MOST_NAMES = 8  # that a message lists


def by_name_or_in_order(inputs: tuple[Any, ...]) -> Mapping[str, Any] | Sequence[Any]:
    """Returns the inputs of a call: its only argument if that is a dictionary, otherwise all arguments in order."""
    return inputs[0] if len(inputs) == 1 and isinstance(inputs[0], Mapping) else inputs


def in_order(names: Sequence[str], given: Mapping[str, Value] | Sequence[Value]) -> Sequence[Value]:
    """Returns one value for each name, in the order of `names`. Raises `KuiperError` if some are missing or unknown."""
    if isinstance(given, Mapping):
        return _in_order_of_names(names, given)
    if not isinstance(given, (tuple, list)) and not _is_sequence(given):
        found = type(given).__name__
        raise TypeError(
            f"the inputs are {found}, expected a list of one for each input, or a dictionary by their names"
        )
    if len(given) != len(names):
        count = f"{len(given)} arrays are given, the model has {len(names)} inputs: {_listed(names)}"
        raise KuiperError(count, ErrorCode.INPUT)
    return given


def extents(name: str, shape: Any) -> list[int]:
    """Returns the shape of an input as ints. Raises `KuiperError` for a negative extent."""
    try:
        given = list(shape)
    except TypeError:
        raise TypeError(f"the shape of input {name!r} is {shape!r}, expected a sequence of ints") from None
    checked = [integer(f"an extent of input {name!r}", extent, -MOST_EXTENT, MOST_EXTENT) for extent in given]
    if any(extent < 0 for extent in checked):
        raise KuiperError(
            f"the shape of input {name!r} is {tuple(checked)}, expected no negative extent", ErrorCode.SHAPE
        )
    return checked


def _in_order_of_names(names: Sequence[str], given: Mapping[str, Value]) -> Sequence[Value]:
    values = [given[name] for name in names if name in given]
    if len(values) == len(names) == len(given):
        return values
    known = set(names)
    problems = [f"input {name!r} is not given" for name in names if name not in given][:_MOST_NAMES]
    unknown = [name for name in given if name not in known]
    if unknown:
        problems.append(f"the model has no input {_listed(unknown)}, it has {_listed(names)}")
    raise KuiperError("; ".join(problems), ErrorCode.INPUT)


def _is_sequence(value: Any) -> bool:
    """Whether a value is a sequence of inputs. Text and arrays are not: their elements would be taken for inputs."""
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray, memoryview))


def _listed(names: Sequence[Any]) -> str:
    listed = ", ".join(repr(name) for name in names[:_MOST_NAMES])
    return listed if len(names) <= _MOST_NAMES else f"{listed} and {len(names) - _MOST_NAMES} more"
