# SPDX-License-Identifier: MIT
"""Runs and traces modules."""

from __future__ import annotations

import contextlib
import logging
import pathlib
import re
import warnings
from collections.abc import Iterator
from typing import Any
from unittest import mock

import torch

from .calls import Call, tensors_of

_TORCH = str(pathlib.Path(torch.__file__).parent)


class _TensorsOnly(torch.nn.Module):
    """Wraps a module with other arguments or results into one that has only tensors.

    A single layer of PyTorch is wrapped, too: the converter recognises only layers inside of the traced module. A
    recurrent layer that is traced by itself would be left in pieces, which hold the batch of the example.
    """

    def __init__(self, module: torch.nn.Module, call: Call) -> None:
        super().__init__()
        self.module = module
        self._arguments = call.arguments

    def forward(self, *tensors: torch.Tensor) -> Any:
        positional, keywords = self._arguments(tensors)
        outputs = tensors_of(self.module(*positional, **keywords))
        return tuple(outputs) if len(outputs) > 1 else outputs[0]


@contextlib.contextmanager
def inference_mode_of(module: torch.nn.Module) -> Iterator[None]:
    """The module as it is exported: in eval mode, without gradients, attention without its fused "fast path"."""
    training = [part for part in module.modules() if part.training]
    fast_path = torch.backends.mha.get_fastpath_enabled()
    with contextlib.suppress(NotImplementedError):  # a module that torch.export made has no other mode
        module.eval()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with torch.no_grad():
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(fast_path)
        for part in training:
            part.training = True


@contextlib.contextmanager
def quiet_pytorch() -> Iterator[None]:
    """Without PyTorch's messages about exports: errors have what matters in them."""
    from torch.export import _trace

    logger = logging.getLogger("torch")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    # torch.export prints the graph that it had made before an error to standard error.
    silent = mock.patch.object(_trace, "print", lambda *_, **__: None, create=True)
    try:
        with warnings.catch_warnings(), silent:
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def trace(module: torch.nn.Module, call: Call, result: Any) -> tuple[torch.jit.ScriptModule, list[str]]:
    """Returns the traced module, and the places where the trace may hold constants that are right only for this call's
    data.

    `result` is the module's result for the call.
    """
    plain = call.plain and _is_plain(result)
    if plain and isinstance(module, torch.jit.ScriptModule):
        return module, []
    if not plain or type(module).__module__.startswith("torch.nn."):
        module = _TensorsOnly(module, call)
        module.training = False
    tensors = tuple(tensor.detach().clone() for tensor in call.tensors)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # Results are compared with PyTorch's after the export, which finds what a check of the trace would.
        traced = torch.jit.trace(module, tensors, check_trace=False)
    places: dict[str, None] = {}
    for warning in caught:
        if issubclass(warning.category, torch.jit.TracerWarning):
            if warning.filename.startswith(_TORCH):
                continue  # PyTorch's own layers check shapes
            reason = re.split(r"[.:!?](?:\s|$)", str(warning.message), maxsplit=1)[0]
            places[f"{warning.filename}:{warning.lineno}: {reason}"] = None
        elif not issubclass(warning.category, DeprecationWarning | FutureWarning):
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    return traced, list(places)


def run_traced(traced: torch.jit.ScriptModule, call: Call) -> None:
    """Runs the trace on other sizes; raises what PyTorch raises if that fails."""
    with torch.no_grad():
        traced(*(tensor.detach().clone() for tensor in call.tensors))


def _is_plain(result: Any) -> bool:
    """Whether the result is a tensor or a tuple of tensors."""
    if isinstance(result, torch.Tensor):
        return True
    return type(result) is tuple and len(result) > 1 and all(isinstance(part, torch.Tensor) for part in result)
