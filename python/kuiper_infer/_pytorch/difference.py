# SPDX-License-Identifier: MIT
"""How far an array is from PyTorch's."""

from __future__ import annotations

import dataclasses

import numpy as np

# A run counts smaller numbers as zero.
_SMALLEST_NORMAL = 2.0**-126


@dataclasses.dataclass(frozen=True)
class Difference:
    """The largest difference between two arrays."""

    deviations: float
    """As a multiple of the standard deviation of PyTorch's elements, or of a tenth of their root mean square where that
    is larger: elements that are all alike have no deviation. Infinite where element types or shapes differ."""
    text: str  #: where it is and how large, or what differs; empty where all is equal
    exact: bool  #: numbers without a fraction are equal or not, whatever the tolerance

    def departs(self, rtol: float) -> bool:
        return self.deviations > (0 if self.exact else rtol)

    def __str__(self) -> str:
        if not self.text or np.isinf(self.deviations):
            return self.text or "equal"
        return f"{self.text} ({self.deviations:.2g} standard deviations)"


def difference(ours: np.ndarray, theirs: np.ndarray) -> Difference:
    """How far `ours` is from PyTorch's `theirs`."""
    exact = theirs.dtype.kind in "biu"
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        text = f"is {ours.dtype}{ours.shape}, PyTorch's is {theirs.dtype}{theirs.shape}"
        return Difference(np.inf, text, exact)
    if ours.size == 0:
        return Difference(0.0, "", exact)
    wide = np.complex128 if theirs.dtype.kind == "c" else np.float64
    a, b = ours.astype(wide), theirs.astype(wide)
    with np.errstate(invalid="ignore"):
        error = np.where((ours == theirs) | (np.isnan(a) & np.isnan(b)), 0, np.abs(a - b))
    error = np.where(np.isnan(error), np.inf, error)
    if not exact:
        error[error <= _SMALLEST_NORMAL] = 0
    at = np.unravel_index(np.argmax(error), error.shape)
    if error[at] == 0:
        if not exact or np.array_equal(ours, theirs):
            return Difference(0.0, "", exact)
        at = np.unravel_index(np.argmax(ours != theirs), error.shape)  # integers that float64 does not tell apart
    position = f"[{','.join(map(str, at))}] is " if at else "is "
    deviations = max(float(error[at]) / _scale(b), np.finfo(float).tiny)
    return Difference(deviations, f"{position}{ours[at]!s}, PyTorch's is {theirs[at]!s}", exact)


def _scale(array: np.ndarray) -> float:
    finite = array[np.isfinite(array)]
    if finite.size == 0:
        return 1.0
    scale = max(float(np.std(finite)), 0.1 * float(np.sqrt(np.mean(np.abs(finite) ** 2))))
    return scale or 1.0
