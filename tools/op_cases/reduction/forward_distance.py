# SPDX-License-Identifier: MIT
"""Cases: distances as automatic differentiation calls them, histograms of one number."""
import torch

from ..case import aten

for p in (0.0, 1.0, 2.0, float("inf")):
    aten(f"cdist_forward_{p:.0f}", "_cdist_forward", ["$0", "$1", p, None], (3, 4), (2, 4))
    aten(f"pdist_forward_{p:.0f}", "_pdist_forward", ["$0", p], (4, 3))
aten("cdist_forward_batch", "_cdist_forward", ["$0", "$1", 2.0, 1], (2, 3, 4), (2, 5, 4))
aten("histogram_single", "histogram.bin_ct", ["$0", 3], lambda: torch.tensor([2.5, 2.5]), outputs=2)
