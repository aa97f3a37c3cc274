# SPDX-License-Identifier: MIT
"""What a program asks to have exported."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from .._states import State
from .calls import Call, tensors_of
from .tracing import inference_mode_of


@dataclasses.dataclass(frozen=True)
class Request:
    """What is to be exported."""

    module: torch.nn.Module
    calls: dict[str, Call]  #: by name: args and, if given, args2; the first one is exported
    results: dict[str, Any]  #: what the module gives for these calls
    dynamic_shapes: Any  #: for torch.export; free axes by tensor if it is given here
    reports_free: bool  #: whether to say which extents are free
    names: tuple[Sequence[str] | None, Sequence[str] | None]
    modules: Sequence[type[torch.nn.Module] | str]
    check: bool
    rtol: float
    states: Mapping[str, State] = dataclasses.field(default_factory=dict)  #: by the outputs' names
    stored: Mapping[Any, Mapping[str, torch.Tensor]] = dataclasses.field(default_factory=dict)
    """What is written in place of weights (torch_export.write.Additions)."""

    @classmethod
    def of(
        cls,
        module: torch.nn.Module,
        args: Any,
        args2: Any,
        dynamic_shapes: Any,
        dynamic: str | None,
        input_names: Sequence[str] | None,
        output_names: Sequence[str] | None,
        modules: Sequence[type[torch.nn.Module] | str],
        check: bool,
        rtol: float,
        states: Mapping[str, State] | None = None,
        stored: Mapping[Any, Mapping[str, torch.Tensor]] | None = None,
    ) -> Request:
        calls = {"args": Call.of(args, "args")}
        if args2 is not None:
            calls["args2"] = Call.of(args2, "args2")
            calls["args"].check_second(calls["args2"])
            if calls["args"].has_ones_beside(calls["args2"]):
                calls = dict(reversed(calls.items()))
            dynamic_shapes = _differing_axes(calls["args"], calls["args2"])
        if dynamic is not None:
            dynamic_shapes = {index: list(range(t.dim())) for index, t in enumerate(calls["args"].tensors)}
        with inference_mode_of(module):
            results = {name: call.run(module) for name, call in calls.items()}
        names = (input_names, output_names)
        wanted = (len(calls["args"].tensors), len(tensors_of(results["args"])))
        for given, count, what in zip(names, wanted, ("input_names", "output_names"), strict=True):
            _check_names(given, count, what)
        reports_free = dynamic is not None
        return cls(
            module,
            calls,
            results,
            dynamic_shapes,
            reports_free,
            names,
            modules,
            check,
            rtol,
            states or {},
            stored or {},
        )

    def suits_converter(self) -> bool:
        """Whether the converter can do it: it takes no names and states, and free sizes only from a second set of
        arguments."""
        plain = self.names == (None, None) and not self.states
        return plain and (self.dynamic_shapes is None or len(self.calls) > 1)


def _differing_axes(one: Call, other: Call) -> dict[int, list[int]]:
    pairs = zip(one.tensors, other.tensors, strict=True)
    return {
        index: [axis for axis, (own, its) in enumerate(zip(a.shape, b.shape, strict=True)) if own != its]
        for index, (a, b) in enumerate(pairs)
    }


def _check_names(names: Sequence[str] | None, count: int, what: str) -> None:
    if names is None:
        return
    if len(names) != count or len(set(names)) != count:
        raise ValueError(f"{what} is {list(names)}, expected {count} different names")
    for name in names:
        if not name or any(letter.isspace() for letter in name):
            raise ValueError(f"{what} holds {name!r}, expected names without blanks")
