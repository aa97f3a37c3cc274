# SPDX-License-Identifier: MIT
"""Cases: recurrent."""
import torch
from torch import nn

from ..case import add

add("lstm", lambda: nn.LSTM(5, 6), (7, 2, 5))
add("lstm_batch_first_bi", lambda: nn.LSTM(5, 6, batch_first=True, bidirectional=True), (2, 7, 5))
add("lstm_two_layers_no_bias", lambda: nn.LSTM(5, 6, num_layers=2, bias=False), (7, 2, 5))
add("lstm_proj", lambda: nn.LSTM(5, 6, num_layers=2, bidirectional=True, proj_size=3), (7, 2, 5))

add("gru", lambda: nn.GRU(5, 6, batch_first=True), (2, 7, 5))
add("gru_bi_layers", lambda: nn.GRU(5, 6, num_layers=2, bidirectional=True), (7, 3, 5))
add("rnn_tanh", lambda: nn.RNN(5, 6), (7, 2, 5))
add("rnn_relu", lambda: nn.RNN(5, 6, nonlinearity="relu", batch_first=True), (2, 7, 5))


class Recurrent(nn.Module):
    """Passes initial states as a tuple."""

    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def forward(self, x, h, c):
        return self.cell(x, (h, c))


add("lstm_states", lambda: Recurrent(nn.LSTM(5, 6, num_layers=2, batch_first=True)), (3, 4, 5), (2, 3, 6), (2, 3, 6))

for cell in ("LSTM", "GRU", "RNN"):
    for layers in (1, 2):
        for both in (False, True):
            for batch_first in (False, True):
                for bias in (False, True):
                    add(f"{cell.lower()}_{layers}_{int(both)}_{int(batch_first)}_{int(bias)}",
                        lambda cell=cell, layers=layers, both=both, batch_first=batch_first, bias=bias:
                        getattr(nn, cell)(4, 3, layers, bias=bias, batch_first=batch_first, bidirectional=both), (2, 3, 4))
    add(f"{cell.lower()}_one_step", lambda cell=cell: getattr(nn, cell)(4, 3), (1, 2, 4))
    add(f"{cell.lower()}_long", lambda cell=cell: getattr(nn, cell)(4, 3), (40, 1, 4))
    add(f"{cell.lower()}_dynamic", lambda cell=cell: getattr(nn, cell)(4, 3, batch_first=True, bidirectional=True), (2, 3, 4), other=[(1, 7, 4)])
    add(f"{cell.lower()}_output_only", lambda cell=cell: First(getattr(nn, cell)(4, 3)), (5, 2, 4))
for cell in ("GRU", "RNN"):
    for layers, both in ((1, False), (2, True)):
        add(f"{cell.lower()}_state_{layers}", lambda cell=cell, layers=layers, both=both: getattr(nn, cell)(4, 3, layers, bidirectional=both), (5, 2, 4), (layers * (1 + both), 2, 3))
for layers, both, size in ((1, False, 0), (2, True, 0), (2, True, 2)):
    add(f"lstm_state_{layers}_{size}", lambda layers=layers, both=both, size=size: Recurrent(nn.LSTM(4, 3, layers, bidirectional=both, proj_size=size)), (5, 2, 4),
        (layers * (1 + both), 2, size or 3), (layers * (1 + both), 2, 3))


class First(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def forward(self, x):
        return self.cell(x)[0]


# Exported by themselves the modules are calls of aten::lstm and its like, with a list of weights.
for cell in ("LSTM", "GRU", "RNN"):
    for layers, both, batch_first, bias in ((1, False, False, True), (2, True, False, True), (2, True, True, False), (3, False, True, True)):
        add(f"alone_{cell.lower()}_{layers}_{int(both)}_{int(batch_first)}_{int(bias)}",
            lambda cell=cell, layers=layers, both=both, batch_first=batch_first, bias=bias:
            getattr(nn, cell)(4, 3, layers, bias=bias, batch_first=batch_first, bidirectional=both), (2, 3, 4), alone=True)
    alone = lambda cell=cell, **options: getattr(nn, cell)(4, 3, num_layers=2, bidirectional=True, **options)
    add(f"alone_{cell.lower()}_unbatched", alone, (5, 4), alone=True)
    add(f"alone_{cell.lower()}_dynamic", lambda alone=alone: alone(batch_first=True), (2, 3, 4), other=[(1, 7, 4)], alone=True)
    add(f"alone_{cell.lower()}_double", lambda alone=alone: alone().double(), (torch.float64, (2, 3, 4)), alone=True)
add("alone_rnn_relu", lambda: nn.RNN(4, 3, num_layers=2, bidirectional=True, nonlinearity="relu"), (2, 3, 4), alone=True)
for bias in (False, True):
    add(f"alone_lstm_proj_{int(bias)}", lambda bias=bias: nn.LSTM(4, 5, 2, bias, bidirectional=True, proj_size=3), (7, 2, 4), alone=True)
for cell in ("GRU", "RNN"):
    add(f"alone_{cell.lower()}_state", lambda cell=cell: getattr(nn, cell)(4, 3), (5, 2, 4), (1, 2, 3), alone=True)


class Function(nn.Module):
    """Calls the function behind a module with scaled weights, so that these are computed."""

    def __init__(self, cell, function):
        super().__init__()
        self.cell, self.function = cell, function

    def forward(self, x, scale, *states):
        weights = [weight * scale for weight in self.cell.parameters()]
        hx = states if len(states) == 2 else states[0]
        return self.function(x, hx, weights, self.cell.bias, self.cell.num_layers, 0.0, False, self.cell.bidirectional, self.cell.batch_first)


STATE = (4, 2, 3)
for cell, function, states in ((nn.LSTM, torch.lstm, [STATE, STATE]), (nn.GRU, torch.gru, [STATE]), (nn.RNN, torch.rnn_tanh, [STATE])):
    add(f"{function.__name__}_computed_weights", lambda cell=cell, function=function: Function(cell(4, 3, 2, bidirectional=True), function), (5, 2, 4), (1,), *states)
add("lstm_proj_computed_weights", lambda: Function(nn.LSTM(4, 3, 2, proj_size=2), torch.lstm), (5, 2, 4), (1,), (2, 2, 2), (2, 2, 3))
