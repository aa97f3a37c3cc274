# SPDX-License-Identifier: MIT
"""Modules of a few lines, for what the converter loses and what people write by hand."""

import torch
from torch import nn


class PaddedEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)

    def forward(self, x, padding):
        return self.encoder(x, src_key_padding_mask=padding)


class CellFromZeros(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.cell = getattr(nn, kind)(8, 6)

    def forward(self, x):
        state = torch.zeros(x.shape[0], 6)
        state = (state, state) if isinstance(self.cell, nn.LSTMCell) else state
        for step in range(x.shape[1]):
            state = self.cell(x[:, step], state)
        return state


class AddedByIndex(nn.Module):
    def forward(self, x, index):
        return torch.zeros(5, 4).index_add_(0, index, x)


class Router(nn.Module):
    """The two best of four experts, as the routers of language models choose them."""

    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(8, 4, bias=False)
        self.experts = nn.Parameter(torch.rand(4, 8, 8))

    def forward(self, x):
        scores = self.gate(x)
        best, index = scores.topk(2, dim=-1)
        weights = torch.full_like(scores, float("-inf")).scatter_(1, index, best).sigmoid()
        return torch.einsum("be,edf,bd->bf", weights, self.experts, x)


class MeanAttention(nn.Module):
    def __init__(self, average):
        super().__init__()
        self.attention = nn.MultiheadAttention(16, 4, batch_first=True)
        self.average = average

    def forward(self, x):
        return self.attention(x, x, x, need_weights=True, average_attn_weights=self.average)


class Cache(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(1, 8, 4))
        self.project = nn.Linear(4, 4)

    def forward(self, x, position):
        self.keys.index_copy_(1, position, self.project(x))
        return torch.softmax(x @ self.keys.transpose(1, 2), -1) @ self.keys


class Writing(nn.Module):
    def forward(self, x):
        y = x.clone()
        y[:, 0] *= 2
        y[1, 2] = 5
        y[y > 3] = 0
        y[:, ::2].add_(1)
        return y, torch.div(x, 0.3, rounding_mode="floor"), torch.div(x, 0.3, rounding_mode="trunc")


class Indexing(nn.Module):
    def forward(self, x):
        rows = torch.arange(x.shape[0])[:, None]
        return x[:, [[2, 1], [0, 3]]], x[rows, [0, 1]], x[..., None, -1], x.flip(1)[:, 1:-1]


class Selecting(nn.Module):
    def forward(self, x):
        chosen = x[x > 0.5]
        return chosen * 2, x.nonzero(), torch.unique(x.round())


class Branch(nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda y: y * 2, lambda y: y - 1, (x,))


class Complex(nn.Module):
    def forward(self, x):
        spectrum = torch.fft.rfft(x)
        return torch.view_as_real(spectrum.conj() * spectrum), torch.fft.irfft(spectrum)


class Half(nn.Module):
    def __init__(self, dtype):
        super().__init__()
        self.layer = nn.Linear(8, 8).to(dtype)

    def forward(self, x):
        return self.layer(x.to(self.layer.weight.dtype)).float()


class Recurrent(nn.Module):
    def __init__(self, kind, **options):
        super().__init__()
        self.layer = getattr(nn, kind)(8, 6, batch_first=True, **options)

    def forward(self, x):
        return self.layer(x)


class WeightNormed(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.utils.parametrizations.weight_norm(nn.Conv1d(4, 6, 3))
        self.other = nn.utils.parametrizations.spectral_norm(nn.Linear(6, 6))

    def forward(self, x):
        return self.other(self.layer(x).transpose(1, 2))


def modules():
    """(name, function that makes the module and its arguments)."""
    image, rows = torch.rand(2, 3, 12, 12), torch.rand(2, 5, 8) * 2 - 1
    yield from {
        "hand/padded_encoder": lambda: (PaddedEncoder(), (torch.rand(2, 5, 16), torch.arange(5) > torch.tensor([[3], [2]]))),
        "hand/transformer": lambda: (nn.Transformer(16, 2, 1, 1, 32, batch_first=True), (torch.rand(1, 4, 16), torch.rand(1, 3, 16))),
        "hand/gru_cell": lambda: (CellFromZeros("GRUCell"), rows),
        "hand/lstm_cell": lambda: (CellFromZeros("LSTMCell"), rows),
        "hand/rnn_cell": lambda: (CellFromZeros("RNNCell"), rows),
        "hand/index_add": lambda: (AddedByIndex(), (torch.rand(3, 4), torch.tensor([0, 2, 2]))),
        "hand/router": lambda: (Router(), torch.rand(3, 8) * 2 - 1),
        "hand/attention_mean": lambda: (MeanAttention(True), torch.rand(2, 5, 16)),
        "hand/attention_heads": lambda: (MeanAttention(False), torch.rand(2, 5, 16)),
        "hand/cache": lambda: (Cache(), (torch.rand(1, 1, 4), torch.tensor([3]))),
        "hand/writing": lambda: (Writing(), torch.rand(3, 4) * 8 - 4),
        "hand/indexing": lambda: (Indexing(), torch.rand(2, 5)),
        "hand/selecting": lambda: (Selecting(), torch.rand(3, 4)),
        "hand/branch": lambda: (Branch(), torch.rand(3, 4) - 0.4),
        "hand/complex": lambda: (Complex(), torch.rand(3, 16)),
        "hand/float16": lambda: (Half(torch.float16), torch.rand(3, 8)),
        "hand/bfloat16": lambda: (Half(torch.bfloat16), torch.rand(3, 8)),
        "hand/lstm": lambda: (Recurrent("LSTM", num_layers=2, bidirectional=True), rows),
        "hand/lstm_proj": lambda: (Recurrent("LSTM", proj_size=3), rows),
        "hand/gru": lambda: (Recurrent("GRU", num_layers=2), rows),
        "hand/rnn": lambda: (Recurrent("RNN"), rows),
        "hand/weight_norm": lambda: (WeightNormed(), torch.rand(2, 4, 9)),
        "hand/norms": lambda: (
            nn.Sequential(nn.Conv2d(3, 8, 3), nn.GroupNorm(2, 8), nn.InstanceNorm2d(8, affine=True), nn.LocalResponseNorm(3)),
            image,
        ),
        "hand/pools": lambda: (
            nn.Sequential(nn.MaxPool2d(3, 2, 1), nn.LPPool2d(2, 2), nn.AdaptiveAvgPool2d((2, 3)), nn.Upsample(scale_factor=2)),
            image,
        ),
        "hand/embedding_bag": lambda: (nn.EmbeddingBag(20, 6, mode="sum"), torch.tensor([[1, 2, 3], [4, 5, 1]])),
        "hand/ctc": lambda: (nn.Bilinear(8, 8, 4), (torch.rand(3, 8), torch.rand(3, 8))),
    }.items()
