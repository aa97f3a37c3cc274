# SPDX-License-Identifier: MIT
"""Root mean square normalisation."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional as F

from .traits import Traits


class RmsNorm(torch.nn.Module):
    """Divides by the root mean square of the last axis and multiplies by a weight."""

    def __init__(self, weight: torch.Tensor, eps: float) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(weight.detach(), requires_grad=False)
        self._eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.rms_norm(x, self.weight.shape, self.weight, self._eps)


def norm_of(theirs: Any, name: str, traits: Traits) -> RmsNorm:
    """The normalisation `name` of a module of transformers."""
    norm = getattr(theirs, name)
    return RmsNorm(norm.weight + traits.norm_offset if traits.norm_offset else norm.weight, traits.norm_eps)


def optional_norm_of(theirs: Any, name: str, traits: Traits) -> RmsNorm | None:
    """The normalisation `name` of a module of transformers; None if it has none."""
    return norm_of(theirs, name, traits) if getattr(theirs, name, None) is not None else None
