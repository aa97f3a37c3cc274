# SPDX-License-Identifier: MIT
"""The line reader's network, its alphabet and greedy CTC decoding."""

import zipfile

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from fonts import PRINTABLE_ASCII

ALPHABET = PRINTABLE_ASCII  # class 0 is CTC's blank, class n is ALPHABET[n - 1]
COLUMN = 4  # pixels of width for each step of the output


def _block(inputs, outputs, kernel, padding, stride=1, pool=None):
    """Pooling comes before the ReLU: the result is the same and the ReLU has less to do."""
    layers = [nn.Conv2d(inputs, outputs, kernel, stride, padding, bias=False), nn.BatchNorm2d(outputs)]
    return layers + ([nn.MaxPool2d(pool)] if pool else []) + [nn.ReLU()]


class LineReader(nn.Module):
    """Grey line (N, 1, 32, W) in -1..1 to log-probabilities (N, W // 4, 96).

    Strides and pools bring the height from 32 down to 1 while the width is only quartered, so the columns
    that are left can be read as a sequence by the LSTM without any size-dependent reshape.
    """

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            *_block(1, 32, 5, 2, stride=2),         # 16 rows, W / 2 columns
            *_block(32, 64, 3, 1, pool=(2, 2)),     # 8 rows, W / 4 columns
            *_block(64, 128, 3, 1, pool=(2, 1)),    # 4 rows
            *_block(128, 128, 3, 1, pool=(2, 1)),   # 2 rows
            *_block(128, 192, (2, 1), 0))           # 1 row
        self.sequence = nn.LSTM(192, 128, batch_first=True, bidirectional=True)
        self.classes = nn.Linear(256, 1 + len(ALPHABET))

    def forward(self, line):
        columns = self.features(line).squeeze(2).permute(0, 2, 1)
        hidden, _ = self.sequence(columns)
        return F.log_softmax(self.classes(hidden), dim=2)

    def without_batch_norm(self):
        """Returns a copy for export, with every BatchNorm2d folded into the convolution before it."""
        folded = LineReader()
        folded.load_state_dict(self.state_dict())
        folded.eval()
        layers = list(folded.features)
        for index, layer in enumerate(layers):
            if isinstance(layer, nn.BatchNorm2d):
                layers[index - 1] = fuse_conv_bn_eval(layers[index - 1], layer)
        folded.features = nn.Sequential(*(layer for layer in layers if not isinstance(layer, nn.BatchNorm2d)))
        return folded


def encode(text):
    """Returns the class numbers of a text."""
    return [1 + ALPHABET.index(character) for character in text]


def decode(log_probabilities):
    """Decodes one line's (T, 96) by greedy CTC: the best class of each step, with repeats merged and blanks dropped."""
    text, previous = [], 0
    for best in log_probabilities.argmax(dim=-1).tolist():
        if best not in (0, previous):
            text.append(ALPHABET[best - 1])
        previous = best
    return "".join(text)


def edit_distance(left, right):
    """Returns the Levenshtein distance of two strings."""
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        diagonal, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (a != b))
    return row[-1]


def load(path):
    """Returns a LineReader in evaluation mode with the weights of a checkpoint or of an exported line_reader.pnnx.bin."""
    model = LineReader().eval()
    if not str(path).endswith(".bin"):
        model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
        return model
    model = model.without_batch_norm()  # the export's layers
    with zipfile.ZipFile(path) as archive:  # one entry of plain float32 for each weight, named as here
        model.load_state_dict({name: torch.frombuffer(bytearray(archive.read(name)), dtype=torch.float32).view_as(value)
                               for name, value in model.state_dict().items()})
    return model
