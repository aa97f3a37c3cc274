# SPDX-License-Identifier: MIT
"""Blocks of GGUF as the library's stored integers. Nothing is rounded: both stand for the same numbers, bit by bit.

The layouts of the blocks are those of ggml's quantised types (ggml-common.h). A scale of the types that end with K, and
of IQ4_XS, is an integer times a scale in half precision; float32 holds this product exactly.
"""

from __future__ import annotations

from collections.abc import Callable

import gguf
import numpy as np
import torch

Parts = dict[str, torch.Tensor]
"""Attributes by the ending of their names: "" for the integers, then their parameters."""

Fields = list[np.ndarray]
"""The fields of blocks, each an array of bytes (rows, blocks, bytes of the field)."""


def _halves(field: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(field).view(np.float16)


def _times(half: np.ndarray, integers: np.ndarray) -> np.ndarray:
    """Each block's number in half precision times the block's integers, in float32."""
    return _halves(half).astype(np.float32) * integers.astype(np.float32)


def _bits(field: np.ndarray, width: int, run: int) -> np.ndarray:
    """Integers of `width` bits: of each `run` bytes first those in the lowest bits, then those in the next ones."""
    shifts = np.arange(0, 8, width, dtype=np.uint8)[:, None]
    parts = field.reshape(*field.shape[:2], -1, 1, run) >> shifts & ((1 << width) - 1)
    return parts.reshape(*field.shape[:2], -1)


def _parameter(numbers: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(numbers.reshape(numbers.shape[0], -1))


def _parts(integers: np.ndarray, scales: np.ndarray, minimums: np.ndarray | None = None) -> Parts:
    """The attributes of integers: uint8 for formats of four bits, where two fill a byte, the even one in the low bits;
    int8 for formats of eight bits."""
    flat = integers.reshape(integers.shape[0], -1)
    if flat.dtype == np.uint8:
        flat = flat[:, 0::2] | flat[:, 1::2] << 4
    parts = {"": torch.from_numpy(flat), ".q_group_scales": _parameter(scales)}
    if minimums is not None:
        parts[".q_group_minimums"] = _parameter(minimums)
    return parts


def _signed(integers: np.ndarray, least: int) -> np.ndarray:
    """Distances from the least integer as signed bytes."""
    return (integers.astype(np.int16) + least).astype(np.int8)


def _q4_0(f: Fields) -> Parts:
    """(q - 8) times a scale, which may be negative."""
    return _parts(_bits(f[1], 4, 16), _halves(f[0]))


def _q4_1(f: Fields) -> Parts:
    """q times a scale, plus a minimum."""
    return _parts(_bits(f[2], 4, 16), _halves(f[0]), _halves(f[1]))


def _fifth_bits(field: np.ndarray) -> np.ndarray:
    return np.unpackbits(field, axis=2, bitorder="little") << 4


def _q5_0(f: Fields) -> Parts:
    """(q - 16) times a scale."""
    return _parts(_signed(_bits(f[2], 4, 16) | _fifth_bits(f[1]), -16), _halves(f[0]))


def _q5_1(f: Fields) -> Parts:
    """q times a scale, plus a minimum."""
    return _parts(_signed(_bits(f[3], 4, 16) | _fifth_bits(f[2]), -128), _halves(f[0]), _halves(f[1]))


def _q8_0(f: Fields) -> Parts:
    """A signed byte times a scale."""
    return _parts(f[1].view(np.int8), _halves(f[0]))


def _q2_k(f: Fields) -> Parts:
    """q times a scale, minus a minimum; both have four bits."""
    return _parts(_bits(f[1], 2, 32), _times(f[2], f[0] & 15), -_times(f[3], f[0] >> 4))


def _q3_k(f: Fields) -> Parts:
    """(q - 4) times a scale of six bits with an offset of 32. The highest of three bits lies apart."""
    low = f[2][:, :, :8]
    high = f[2][:, :, 8:]
    scales = np.concatenate([low & 15, low >> 4], 2) | _bits(high, 2, 4) << 4
    integers = _bits(f[1], 2, 32) | _bits(f[0], 1, 32) << 2
    return _parts(integers + np.uint8(4), _times(f[3], _signed(scales, -32)))


def _scales_and_minimums(field: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eight scales and eight minimums of six bits in twelve bytes. The last four of each have their low bits in the
    last four bytes, and their high bits above those of the first four."""
    scales, minimums, low = field[:, :, :4], field[:, :, 4:8], field[:, :, 8:]
    return (
        np.concatenate([scales & 63, low & 15 | scales >> 6 << 4], 2),
        np.concatenate([minimums & 63, low >> 4 | minimums >> 6 << 4], 2),
    )


def _q4_k(f: Fields) -> Parts:
    """q times a scale, minus a minimum."""
    scales, minimums = _scales_and_minimums(f[2])
    return _parts(_bits(f[3], 4, 32), _times(f[0], scales), -_times(f[1], minimums))


def _q5_k(f: Fields) -> Parts:
    """q times a scale, minus a minimum. The highest of five bits lies apart."""
    scales, minimums = _scales_and_minimums(f[2])
    integers = _signed(_bits(f[4], 4, 32) | _bits(f[3], 1, 32) << 4, -128)
    return _parts(integers, _times(f[0], scales), -_times(f[1], minimums))


def _q6_k(f: Fields) -> Parts:
    """(q - 32) times a scale of eight bits. The two highest of six bits lie apart."""
    integers = _signed(_bits(f[0], 4, 64) | _bits(f[1], 2, 32) << 4, -32)
    return _parts(integers, _times(f[3], f[2].view(np.int8)))


_IQ4 = np.array(gguf.quants.IQ4_NL.kvalues, np.int8)
"""The sixteen integers that the types IQ4 choose from."""


def _iq4_nl(f: Fields) -> Parts:
    """One of sixteen integers times a scale."""
    return _parts(_IQ4[_bits(f[1], 4, 16)], _halves(f[0]))


def _iq4_xs(f: Fields) -> Parts:
    """One of sixteen integers times a scale of six bits with an offset of 32, whose two highest bits lie apart."""
    scales = _bits(f[2], 4, 1) | _bits(f[1], 2, 1) << 4
    return _parts(_IQ4[_bits(f[3], 4, 16)], _times(f[0], _signed(scales, -32)))


_READERS: dict[str, tuple[Callable[[Fields], Parts], list[int]]] = {
    "Q4_0": (_q4_0, [2, 16]),
    "Q4_1": (_q4_1, [2, 2, 16]),
    "Q5_0": (_q5_0, [2, 4, 16]),
    "Q5_1": (_q5_1, [2, 2, 4, 16]),
    "Q8_0": (_q8_0, [2, 32]),
    "Q2_K": (_q2_k, [16, 64, 2, 2]),
    "Q3_K": (_q3_k, [32, 64, 12, 2]),
    "Q4_K": (_q4_k, [2, 2, 12, 128]),
    "Q5_K": (_q5_k, [2, 2, 12, 32, 128]),
    "Q6_K": (_q6_k, [128, 64, 16, 2]),
    "IQ4_NL": (_iq4_nl, [2, 16]),
    "IQ4_XS": (_iq4_xs, [2, 2, 4, 128]),
}
"""By the name of a block's type: what reads blocks, and the bytes of each of their fields."""

FORMATS = list(_READERS)
"""The types of blocks that become stored integers."""


def parts_of(kind: str, data: np.ndarray) -> Parts:
    """Returns the attributes that stand for a matrix of blocks. `kind`: of FORMATS; `data`: uint8 (rows, bytes)."""
    read, sizes = _READERS[kind]
    blocks = data.reshape(data.shape[0], -1, sum(sizes))
    return read([np.ascontiguousarray(field) for field in np.split(blocks, np.cumsum(sizes)[:-1], 2)])


def numbers_of(parts: Parts) -> torch.Tensor:
    """The float32 numbers for which the attributes stand, as the library computes them."""
    integers, scales = parts[""], parts[".q_group_scales"].float().unsqueeze(2)
    minimums = parts.get(".q_group_minimums")
    if integers.dtype == torch.uint8:
        integers = torch.stack([integers & 15, integers >> 4], 2)
        zero = 8 if minimums is None else 0
    else:
        zero = 0 if minimums is None else -128
    numbers = (integers.reshape(*scales.shape[:2], -1).float() - zero) * scales
    if minimums is not None:
        numbers += minimums.float().unsqueeze(2)
    return numbers.flatten(1)
