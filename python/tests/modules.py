# SPDX-License-Identifier: MIT
"""Small PyTorch modules, each for something that an export can meet."""

import torch
from torch import nn


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.leaky = nn.LeakyReLU(0.1)
        self.second = nn.Conv2d(8, 8, 3, stride=2)
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        x = self.leaky(self.norm(self.first(x)))
        return self.head(torch.relu(self.second(x)).mean((2, 3)))


class Attending(nn.Module):
    """Two inputs, heads split by reshaping, two outputs."""

    def __init__(self):
        super().__init__()
        self.project = nn.Linear(16, 48)
        self.condition = nn.Linear(4, 16)
        self.norm = nn.LayerNorm(16)

    def forward(self, x, condition):
        batch, length, _ = x.shape
        parts = self.project(x).reshape(batch, length, 3, 4, 4).permute(2, 0, 3, 1, 4)
        weights = torch.softmax(parts[0] @ parts[1].transpose(-1, -2) / 2, -1)
        mixed = (weights @ parts[2]).transpose(1, 2).reshape(batch, length, 16)
        return self.norm(x + mixed) + self.condition(condition)[:, None], weights


class Nested(nn.Module):
    def forward(self, pair, factor, scale=None):
        second = pair[1] if scale is None else pair[1] * scale
        return {"sum": pair[0] * factor + pair[1], "rest": [second, None]}


class Choosing(nn.Module):
    """Index numbers up to 99, which random ones would miss or exceed."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(100, 3)

    def forward(self, x, mask, offset, index):
        return torch.where(mask, x, -x) + offset, self.table(index)


class HalfInside(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 4).half()

    def forward(self, x):
        return self.layer(x.half()).float()


class FirstPart(nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = nn.Parameter(torch.rand(8) + 1)

    def forward(self, x):
        return torch.tanh(x) * self.factor


class SecondPart(nn.Module):
    def __init__(self):
        super().__init__()
        self.offset = nn.Parameter(torch.rand(8) + 1)

    def forward(self, x):
        return torch.sign(x) * torch.abs(x) ** (1 / 3) + self.offset


class WithParts(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.first = FirstPart()
        self.second = SecondPart()

    def forward(self, x):
        return self.second(self.first(self.layer(x)))


class Branching(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x * 2
        return x * 3


class Counting(nn.Module):
    def forward(self, x):
        return len(x), x


class Expanding(nn.Module):
    """What is expanded for batches other than 1 only is indexed by batch, as position numbers in transformers."""

    def forward(self, x):
        positions = torch.arange(x.shape[1])[None]
        if x.shape[0] != 1:
            positions = positions.expand(x.shape[0], -1)
        return x + positions[torch.arange(x.shape[0])]


class Shifting(nn.Module):
    def forward(self, x):
        return x[:, 1:]


class FixedSize(nn.Module):
    def forward(self, x):
        return x.reshape(int(x.shape[0]), 6)


class MeansOfWindows(nn.Module):
    """Takes the mean of each window of 224 x 224 pixels, as networks with windows take pictures apart."""

    def forward(self, x):
        batch, channels, rows, columns = x.shape
        return x.reshape(batch, channels, rows // 224, 224, columns // 224, 224).mean((3, 5))


class Scaling(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(16, 4)

    def forward(self, x, scale=1):
        return self.layer(x) * scale


class Logits(nn.Module):
    def forward(self, x, mask, scale):
        return {"logits": torch.where(mask, x * scale, -x)}


class Encoder(nn.Module):
    """An encoder of texts: hidden states and what a pooling layer makes of the first, for at most 40 words."""

    def __init__(self):
        super().__init__()
        self.words, self.positions, self.kinds = (nn.Embedding(count, 16) for count in (50, 40, 2))
        self.register_buffer("position_ids", torch.arange(40)[None])
        self.attention = nn.Linear(16, 48)
        self.norm = nn.LayerNorm(16)
        self.pooler = nn.Linear(16, 16)

    def forward(self, ids, mask, kinds):
        batch, length = ids.shape
        x = self.words(ids) + self.positions(self.position_ids[:, :length]) + self.kinds(kinds)
        parts = self.attention(x).reshape(batch, length, 3, 4, 4).permute(2, 0, 3, 1, 4)
        scores = parts[0] @ parts[1].transpose(-1, -2) / 2 + (1.0 - mask[:, None, None].float()) * -1e9
        mixed = (torch.softmax(scores, -1) @ parts[2]).transpose(1, 2).reshape(batch, length, 16)
        hidden = self.norm(x + mixed)
        return hidden, torch.tanh(self.pooler(hidden[:, 0]))


class PaddedEncoder(nn.Module):
    """A padding mask goes through a layer of PyTorch's, which fills it into zeros in place."""

    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)

    def forward(self, x, padding):
        return self.encoder(x, src_key_padding_mask=padding)


class WritingInto(nn.Module):
    """An array that does not depend on the inputs is written in place."""

    def __init__(self, write):
        super().__init__()
        self.write = write
        self.weight = nn.Parameter(torch.rand(4, 4))

    def forward(self, x, index):
        return self.write(self, x, index)


class Cells(nn.Module):
    """A recurrent cell that begins with zeros, of a fixed batch or of the input's."""

    def __init__(self, cell, batch=None):
        super().__init__()
        self.cell = cell
        self.batch = batch

    def forward(self, x):
        state = torch.zeros(self.batch or x.shape[0], self.cell.hidden_size)
        if isinstance(self.cell, nn.LSTMCell):
            return self.cell(x, (state, state))[0]
        return self.cell(x, state)


class Conjugated(nn.Module):
    def __init__(self, conjugate):
        super().__init__()
        self.conjugate = conjugate
        self.register_buffer("factors", torch.complex(torch.rand(4), torch.rand(4)))

    def forward(self, x):
        return torch.view_as_real(x * self.conjugate(self.factors))


class LoopOverBatch(nn.Module):
    def forward(self, x):
        return sum(x[row] * (row + 1) for row in range(len(x)))


class OtherWhenMany(nn.Module):
    def __init__(self, most):
        super().__init__()
        self.most = most

    def forward(self, x):
        return x * 2 if len(x) > self.most else x + 1
