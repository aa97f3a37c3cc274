# SPDX-License-Identifier: MIT
"""What a comparison needs of a PyTorch program that computes what a model file holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
import torch


class Reference(Protocol):
    """A program whose steps have the names of the model's operands."""

    fault: str
    """What it means if this program departs from the module."""

    def outputs(self, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """The program's results."""
        ...

    def operands(self, inputs: Sequence[torch.Tensor]) -> Iterator[tuple[str, np.ndarray, str]]:
        """(operand, array, line of code) of every array, in the order of the program."""
        ...
