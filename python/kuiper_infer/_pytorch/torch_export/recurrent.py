# SPDX-License-Identifier: MIT
"""Keeps recurrent layers whole in exported graphs.

PyTorch describes an LSTM to its exporter by a loop over the steps, which fixes the length. Here the layers call
operators of the same arguments whose description says only the shapes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any
from unittest import mock

import torch

NAMESPACE = "kuiper_infer"

_library = torch.library.Library(NAMESPACE, "FRAGMENT")
_REST = (
    "Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first"
)


def _define(name: str, state: str, results: str) -> Any:
    """Defines an operator like the one of PyTorch of that name, and returns it."""
    _library.define(f"{name}(Tensor input, {state} hx, {_REST}) -> ({results})")
    _library.impl(name, getattr(torch, name), "CompositeExplicitAutograd")
    torch.library.register_fake(f"{NAMESPACE}::{name}", _describe, lib=_library)
    return getattr(getattr(torch.ops, NAMESPACE), name)


def _describe(
    input: torch.Tensor,
    hx: torch.Tensor | Sequence[torch.Tensor],
    params: Sequence[torch.Tensor],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> tuple[torch.Tensor, ...]:
    """Empty results: of each step the last layer's hidden states of both directions, and the last states."""
    states = [hx] if isinstance(hx, torch.Tensor) else list(hx)
    width = states[0].shape[-1] * (2 if bidirectional else 1)
    return input.new_empty([*input.shape[:-1], width]), *(torch.empty_like(state) for state in states)


_OPERATORS = {
    "lstm": _define("lstm", "Tensor[]", "Tensor, Tensor, Tensor"),
    "gru": _define("gru", "Tensor", "Tensor, Tensor"),
    "rnn_tanh": _define("rnn_tanh", "Tensor", "Tensor, Tensor"),
    "rnn_relu": _define("rnn_relu", "Tensor", "Tensor, Tensor"),
}


class _Functions:
    """The functions that PyTorch's recurrent layers call, with the operators above in place of their own."""

    def __init__(self, functions: Any) -> None:
        self._functions = functions

    def __getattr__(self, name: str) -> Any:
        given = getattr(self._functions, name)
        operator = _OPERATORS.get(name)
        if operator is None:
            return given

        def call(*arguments: Any) -> Any:
            whole = len(arguments) == 9 and isinstance(
                arguments[2], list | tuple
            )  # a packed sequence has sizes in front
            whole = whole and not isinstance(arguments[1], torch.Tensor) if name == "lstm" else whole
            return operator(*arguments) if whole else given(*arguments)

        return call


@contextlib.contextmanager
def whole_recurrent_layers() -> Iterator[None]:
    """While this lasts, nn.LSTM, nn.GRU and nn.RNN of this process call the operators above."""
    layers = torch.nn.modules.rnn
    with mock.patch.object(layers, "_VF", _Functions(layers._VF)):
        yield
