# SPDX-License-Identifier: MIT
"""Cases: searches for NaN and for single numbers of other types, quantiles beside infinities and of single numbers."""
import torch

from ..case import aten

NAN, INF = float("nan"), float("inf")
for invert in (False, True):
    aten(f"isin_nan_{int(invert)}", "isin.Tensor_Tensor", ["$0", "$1", False, invert], lambda: torch.tensor([1.0, NAN, 2.0, -INF]), lambda: torch.tensor([NAN, 2.0, -INF]))
aten("searchsorted_number_wraps", "searchsorted.Tensor", ["$0", "$1"], lambda: torch.tensor([0, 1, 2], dtype=torch.int32), lambda: torch.tensor(2**32 + 1))
aten("bucketize_number_rounded", "bucketize.Tensor", ["$0", "$1"], lambda: torch.tensor(0.7, dtype=torch.float64), lambda: torch.tensor([0.0, 0.7]))
for name in ("quantile", "nanquantile"):
    aten(f"{name}_number", name, ["$0", "$1", 0], lambda: torch.tensor(2.5), lambda: torch.tensor(0.5))
    aten(f"{name}_number_several", name, ["$0", "$1", -1, True], lambda: torch.tensor(2.5), lambda: torch.tensor([0.0, 0.5, 1.0]))
    for rule in ("linear", "midpoint", "lower"):
        aten(f"{name}_infinite_{rule}", name, ["$0", "$1", 1, False, rule], lambda: torch.tensor([[1.0, INF, INF], [-INF, 0.0, 2.0], [-INF, -INF, INF]]), lambda: torch.tensor([0.0, 0.25, 0.5, 0.875, 1.0]))
