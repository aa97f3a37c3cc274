# SPDX-License-Identifier: MIT
"""Cases: what the converter loses and the rest of the file settles (source/runtime/repair)."""
import torch
from torch import nn

from ..case import add, fn, written


class Buffers(nn.Module):
    """A function of the inputs and of constant arrays."""

    def __init__(self, function, *values):
        super().__init__()
        self.function = function
        for number, value in enumerate(values):
            self.register_buffer(f"value{number}", torch.as_tensor(value))

    def forward(self, *inputs):
        return self.function(*inputs, *self.buffers())


# Constant indices are written flat, those of one element as a number.
add("index_one_element", lambda: Buffers(lambda x, i: x[:, i] * 1, [2]), (3, 4))
add("index_one_element_of_one_row", lambda: Buffers(lambda x, i: x[:, i] * 1, [0]), (1, 3))
add("index_one_element_two_axes", lambda: Buffers(lambda x, i: x[:, i] * 1, [[2]]), (3, 4))
add("index_one_element_three_axes", lambda: Buffers(lambda x, i: x[i] * 1, [[[-1]]]), (3, 4))
add("index_column", lambda: Buffers(lambda x, i: x[:, i] * 1, [[2], [0], [3]]), (3, 4))
add("index_column_first", lambda: Buffers(lambda x, i: x[i] * 1, [[2], [0]]), (3, 4))
add("index_column_four_axes", lambda: Buffers(lambda x, i: x[i] * 1, [[[[2]]], [[[0]]]]), (3, 4))
add("index_two_columns", lambda: Buffers(lambda x, i, j: x[i, j] * 1, [[2], [0]], [[1], [3]]), (3, 4, 2))
add("index_column_and_one", lambda: Buffers(lambda x, i, j: x[:, i, j] * 1, [[2], [0]], [[1]]), (3, 4, 2))
add("index_apart", lambda: Buffers(lambda x, i, j: x[i, :, j] * 1, [[2], [0]], [[1], [0]]), (3, 4, 2))
add("index_plain", lambda: Buffers(lambda x, i, j: x[i, j] * 1, [2, 0], [1, 3]), (3, 4))
add("index_column_dynamic", lambda: Buffers(lambda x, i: x[:, i] * 1, [[2], [0]]), (3, 4), other=[(5, 4)])

# Of an index with an extent of 1 in front the first element is written, arange(K) as [0]; here beside a longer one.
along = lambda size, axis, rank: torch.arange(size).reshape([size if i == axis else 1 for i in range(rank)])
for batch in (2, 8):
    pair = lambda axis, batch=batch: lambda: Buffers(lambda x, i, j: x[i, j] * 1, along(batch, 0, 4), along(8, axis, 4))
    add(f"index_range_last_batch_{batch}", pair(3), (batch, 8))
    add(f"index_range_third_batch_{batch}", pair(2), (batch, 8))
    add(f"index_range_mask_batch_{batch}", lambda batch=batch: Buffers(lambda x, i, j: x[i, j].logical_not(), along(batch, 0, 4), along(8, 3, 4)), ("bool", (batch, 8)))
add("index_range_of_two_axes", lambda: Buffers(lambda x, i, j, k: x[i, j, k] * 1, along(2, 0, 4), along(3, 2, 4), along(5, 3, 4)), (2, 3, 5))
add("index_range_apart", lambda: Buffers(lambda x, i, j: x[i, :, j] * 1, along(2, 0, 3), along(5, 2, 3)), (2, 3, 5))


class Cell(nn.Module):
    """A recurrent network or an attention in front of a function of what it gives; states may be parameters."""

    def __init__(self, cell, function, *states):
        super().__init__()
        self.cell, self.function, self.linear = cell, function, nn.Linear(4, 4)
        for number, shape in enumerate(states):
            self.register_parameter(f"state{number}", nn.Parameter(torch.zeros(shape)))

    def forward(self, *inputs):
        return self.function(self, *inputs)


def cell(name, make, function, *specs, states=(), **options):
    add(name, lambda: Cell(make(), function, *states), *specs, **options)


# Initial states that are parameters stand in front of the input.
X = (5, 2, 4)
STATE = (1, 2, 3)
for kind in ("RNN", "GRU"):
    network = lambda kind=kind, **options: getattr(nn, kind)(4, 3, **options)
    short = kind.lower()
    cell(f"{short}_state_parameter", network, lambda m, x: m.cell(x, m.state0)[0] * 1, X, states=[STATE])
    cell(f"{short}_state_parameter_computed_input", network, lambda m, x: m.cell(m.linear(x), m.state0), X, states=[STATE])
    cell(f"{short}_state_constant", network, lambda m, x: m.cell(m.linear(x), torch.full(STATE, 0.5)), X)
    cell(f"{short}_state_input", network, lambda m, h, x: m.cell(x, h), STATE, X)
    cell(f"{short}_state_parameter_layers", lambda kind=kind: getattr(nn, kind)(4, 3, 2, batch_first=True, bidirectional=True),
         lambda m, x: m.cell(x, m.state0), (3, 5, 4), states=[(4, 3, 3)])
    cell(f"{short}_state_parameter_same_size", lambda kind=kind: getattr(nn, kind)(4, 4), lambda m, x: m.cell(x, m.state0)[0] * 1, X, states=[(1, 2, 4)])
    cell(f"{short}_last_state", network, lambda m, x: m.cell(x)[1] * 1, X)
    cell(f"{short}_last_state_from_parameter", network, lambda m, x: m.cell(x, m.state0)[1] * 1, X, states=[STATE])
    cell(f"{short}_last_state_bidirectional", lambda network=network: network(bidirectional=True, batch_first=True), lambda m, x: m.cell(x)[1] * 1, (2, 5, 4))
    cell(f"{short}_without_batch", network, lambda m, x: m.cell(x, m.state0)[1] * 1, (5, 4), states=[(1, 3)])
    cell(f"{short}_last_state_of_free_length", network, lambda m, x: m.cell(x)[1] * 1, X, other=[(7, 2, 4)])
lstm = lambda **options: nn.LSTM(4, 3, **options)
cell("lstm_states_parameters", lstm, lambda m, x: m.cell(x, (m.state0, m.state1))[0] * 1, X, states=[STATE, STATE])
cell("lstm_states_parameters_reversed", lstm, lambda m, x: m.cell(m.linear(x), (m.state1, m.state0))[0] * 1, X, states=[STATE, STATE])
cell("lstm_states_one_parameter", lstm, lambda m, x: m.cell(x, (m.state0, m.state0))[0] * 1, X, states=[STATE])
cell("lstm_states_one_input", lstm, lambda m, x, h: m.cell(x, (h, h))[0] * 1, X, STATE)
cell("lstm_states_one_constant", lstm, lambda m, x: m.cell(x, (torch.ones(STATE),) * 2)[0] * 1, X)
cell("lstm_states_of_projection", lambda: lstm(proj_size=2), lambda m, x, h: m.cell(x, (h, m.state0))[0] * 1, X, (1, 2, 2), states=[STATE])
cell("lstm_states_of_projection_reversed", lambda: lstm(proj_size=2), lambda m, x, c: m.cell(x, (m.state0, c))[0] * 1, X, STATE, states=[(1, 2, 2)])
cell("lstm_both_last_states", lstm, lambda m, x: m.cell(x)[1], X)
cell("lstm_all", lstm, lambda m, x: m.cell(x), X)
cell("lstm_last_hidden_of_projection", lambda: lstm(proj_size=2), lambda m, x: m.cell(x)[1][0] * 1, X)
cell("lstm_last_cell_of_projection", lambda: lstm(proj_size=2), lambda m, x: m.cell(x)[1][1] * 1, X)
cell("lstm_sequence_and_cell_of_projection", lambda: lstm(proj_size=2), lambda m, x: (lambda y: (y[0], y[1][1]))(m.cell(x)), X)

# The weights of an attention alone: averaged, or those of each head.
attention = lambda **options: nn.MultiheadAttention(4, 2, **options)
for name, batch_first in (("", False), ("_batch_first", True)):
    make = lambda batch_first=batch_first: attention(batch_first=batch_first)
    cell(f"attention_weights{name}", make, lambda m, x: m.cell(x, x, x)[1] * 1, X)
    cell(f"attention_weights_cross{name}", make, lambda m, x, y: m.cell(x, y, y)[1] * 1, (2, 2, 4), (2, 2, 4))
    cell(f"attention_head_weights_alone{name}", make, lambda m, x: m.cell(x, x, x, average_attn_weights=False)[1] * 1, X)
cell("attention_head_weights_alone_cross", attention, lambda m, x, y: m.cell(x, y, y, average_attn_weights=False)[1] * 1, X, (3, 2, 4))
cell("attention_head_weights_alone_without_batch", attention, lambda m, x: m.cell(x, x, x, average_attn_weights=False)[1] * 1, (5, 4))
cell("attention_head_weights_alone_added_rows", lambda: attention(add_bias_kv=True, add_zero_attn=True), lambda m, x: m.cell(x, x, x, average_attn_weights=False)[1] * 1, X)

# padding="same" with a mode: () in one dimension, a pair for each axis in others where the sides differ.
for rank, name in ((1, "Conv1d"), (2, "Conv2d"), (3, "Conv3d")):
    for mode in ("reflect", "replicate", "circular"):
        for kernel in (3, 4):
            add(f"padding_same_{rank}d_{mode}_{kernel}", lambda name=name, mode=mode, kernel=kernel: getattr(nn, name)(2, 3, kernel, padding="same", padding_mode=mode), (1, 2) + (5,) * rank)
for mode in ("reflect", "replicate", "circular"):
    add(f"padding_same_1d_{mode}_dilated", lambda mode=mode: nn.Conv1d(2, 3, 4, padding="same", dilation=3, padding_mode=mode), (2, 2, 17))
    add(f"padding_same_2d_{mode}_sides", lambda mode=mode: nn.Conv2d(2, 3, (4, 3), padding="same", dilation=(1, 2), padding_mode=mode), (1, 2, 7, 8))
    add(f"padding_same_2d_{mode}_equal_sides", lambda mode=mode: nn.Conv2d(2, 4, (4, 2), padding="same", dilation=(1, 3), groups=2, padding_mode=mode), (1, 2, 7, 8))
    add(f"padding_same_3d_{mode}_sides", lambda mode=mode: nn.Conv3d(2, 3, (4, 3, 2), padding="same", padding_mode=mode), (1, 2, 5, 6, 7))
    add(f"padding_same_1d_{mode}_free", lambda mode=mode: nn.Conv1d(2, 3, 4, padding="same", padding_mode=mode), (1, 2, 9), other=[(2, 2, 12)])
    add(f"padding_valid_{mode}", lambda mode=mode: nn.Conv2d(2, 3, 4, padding="valid", padding_mode=mode), (1, 2, 7, 8))
