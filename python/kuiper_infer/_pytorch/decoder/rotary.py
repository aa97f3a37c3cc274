# SPDX-License-Identifier: MIT
"""Rotary position embeddings: tables from positions, and the rotation of queries and keys."""

from __future__ import annotations

from typing import Any

import torch


class RotaryTable(torch.nn.Module):
    """Cosines and signed sines of positions."""

    def __init__(self, frequencies: torch.Tensor, scale: float) -> None:
        """`frequencies`: of each pair of elements, in radians a position; `scale`: what the table is multiplied by."""
        super().__init__()
        self.register_buffer("frequencies", frequencies.detach().float().clone(), persistent=False)
        self.scale = scale

    def forward(self, positions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the tables for `rotate`, of shape (positions, elements that are rotated)."""
        angles = positions.float().unsqueeze(1) * self.frequencies
        cosines, sines = angles.cos(), angles.sin()
        if self.scale != 1:
            cosines, sines = cosines * self.scale, sines * self.scale
        return torch.cat([cosines, cosines], 1), torch.cat([-sines, sines], 1)


def rotate(x: torch.Tensor, cosines: torch.Tensor, sines: torch.Tensor) -> torch.Tensor:
    """Rotates pairs of the elements i and i + half of each head; elements behind the table's width are kept.

    `x`: (batch, heads, positions, head_dim). The sign of the sines stands for the one of the rotation.
    """
    width = cosines.shape[1]
    turned, kept = x[..., :width], x[..., width:]
    swapped = torch.cat([turned[..., width // 2 :], turned[..., : width // 2]], -1)
    turned = turned * cosines + swapped * sines
    return turned if width == x.shape[-1] else torch.cat([turned, kept], -1)


def table_of(rotary: Any, local: Any, sliding: bool) -> RotaryTable:
    """The table of layers with (`sliding`) or without a window.

    `rotary`: the module of transformers; `local`: the one for layers with a window, where they have one of their own.
    """
    if sliding and local is not None:
        rotary = local
    kind = "sliding_attention_" if sliding else "full_attention_"
    prefix = kind if hasattr(rotary, f"{kind}inv_freq") else ""
    name = f"{prefix}original_inv_freq"
    frequencies = getattr(rotary, name if hasattr(rotary, name) else f"{prefix}inv_freq")
    return RotaryTable(frequencies, float(getattr(rotary, f"{prefix}attention_scaling", 1.0)))
