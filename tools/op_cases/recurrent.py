# SPDX-License-Identifier: MIT
"""Cases: recurrent."""
from torch import nn

from .case import add

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
