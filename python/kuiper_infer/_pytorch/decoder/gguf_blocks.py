# SPDX-License-Identifier: MIT
"""Blocks of GGUF as the library's stored integers. Nothing is rounded: both stand for the same numbers, bit by bit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

BLOCK = 32
"""Numbers of a block, which becomes a group."""

Parts = dict[str, torch.Tensor]
"""Attributes by the ending of their names: "" for the integers, then their parameters."""


def _scales(rows: np.ndarray, at: int) -> torch.Tensor:
    """The half-precision numbers at a place of each block, as (rows, blocks)."""
    return torch.from_numpy(np.ascontiguousarray(rows[:, :, at : at + 2]).view(np.float16)[:, :, 0])


def _nibbles(rows: np.ndarray, at: int) -> torch.Tensor:
    """Integers of four bits. A block of GGUF has its first half in the low bits of its bytes and its second half in the
    high bits; a file of ours has neighbours in a byte, the even one in the low bits.
    """
    stored = rows[:, :, at : at + BLOCK // 2]
    integers = np.concatenate([stored & 15, stored >> 4], 2)
    pairs = integers[:, :, 0::2] | integers[:, :, 1::2] << 4
    return torch.from_numpy(pairs.reshape(rows.shape[0], -1))


def _q4_0(rows: np.ndarray) -> Parts:
    """(q - 8) times a scale, which may be negative."""
    return {"": _nibbles(rows, 2), ".q_group_scales": _scales(rows, 0)}


def _q4_1(rows: np.ndarray) -> Parts:
    """q times a scale, plus a minimum."""
    return {"": _nibbles(rows, 4), ".q_group_scales": _scales(rows, 0), ".q_group_minimums": _scales(rows, 2)}


def _q8_0(rows: np.ndarray) -> Parts:
    """A signed byte times a scale."""
    integers = np.ascontiguousarray(rows[:, :, 2:]).view(np.int8).reshape(rows.shape[0], -1)
    return {"": torch.from_numpy(integers), ".q_group_scales": _scales(rows, 0)}


FORMATS: dict[str, Callable[[np.ndarray], Parts]] = {"Q4_0": _q4_0, "Q4_1": _q4_1, "Q8_0": _q8_0}
"""By the name of the block's type."""

_BYTES = {"Q4_0": 2 + BLOCK // 2, "Q4_1": 4 + BLOCK // 2, "Q8_0": 2 + BLOCK}


def parts_of(kind: str, data: np.ndarray) -> Parts:
    """Returns the attributes that stand for a matrix of blocks. `data`: uint8 (rows, bytes of a row)."""
    return FORMATS[kind](data.reshape(data.shape[0], -1, _BYTES[kind]))


def numbers_of(parts: Parts) -> torch.Tensor:
    """The float32 numbers for which the attributes stand, as the library computes them."""
    integers, scales = parts[""], parts[".q_group_scales"].float().unsqueeze(2)
    if integers.dtype == torch.uint8:
        integers = torch.stack([integers & 15, integers >> 4], 2)
        if ".q_group_minimums" not in parts:
            integers = integers.to(torch.int8) - 8
    numbers = integers.reshape(scales.shape[0], scales.shape[1], -1).float() * scales
    if ".q_group_minimums" in parts:
        numbers += parts[".q_group_minimums"].float().unsqueeze(2)
    return numbers.flatten(1)
