# SPDX-License-Identifier: MIT
"""Makes the models of these tests; needs torch and pnnx. Run it in this folder."""

import os
import pathlib

import pnnx
import torch


class Scorer(torch.nn.Module):
    """Scores of a picture: its channels' means times a matrix."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(3, 4, bias=False)
        self.linear.weight.data = torch.arange(12.0).reshape(4, 3) / 8

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x.mean((2, 3)))


class Pair(torch.nn.Module):
    """Two inputs, two outputs, one of them whole numbers."""

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return a * 2 + b, (a > b).sum(1)


class Whole(torch.nn.Module):
    """A sequence without a batch axis: what it gives for two rows is not what it gives for each."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (x - x.mean(0, keepdim=True)).reshape(1, 12)


class Positive(torch.nn.Module):
    """An output whose shape only a run tells."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.masked_select(x, x > 0)


MODELS = {
    "scorer": (Scorer(), (torch.zeros(1, 3, 8, 8),)),
    "pair": (Pair(), (torch.zeros(1, 4), torch.zeros(1, 4))),
    "whole": (Whole(), (torch.zeros(4, 3),)),
    "positive": (Positive(), (torch.zeros(1, 5),)),
}

for name, (module, inputs) in MODELS.items():
    pnnx.export(module.eval(), f"{name}.pt", inputs)
    for path in pathlib.Path().glob(f"{name}*"):
        if not path.name.startswith(f"{name}.pnnx.") or path.suffix not in (".param", ".bin"):
            os.remove(path)
