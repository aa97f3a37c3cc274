# SPDX-License-Identifier: MIT
"""Cases: distances as automatic differentiation calls them; histograms of equal numbers, counts and sums of nothing, sums without NaN."""
import torch

from ..case import aten

for p in (0.0, 1.0, 2.0, float("inf")):
    aten(f"cdist_forward_{p:.0f}", "_cdist_forward", ["$0", "$1", p, None], (3, 4), (2, 4))
    aten(f"pdist_forward_{p:.0f}", "_pdist_forward", ["$0", p], (4, 3))
aten("cdist_forward_batch", "_cdist_forward", ["$0", "$1", 2.0, 1], (2, 3, 4), (2, 5, 4))
aten("histogram_single", "histogram.bin_ct", ["$0", 3], lambda: torch.tensor([2.5, 2.5]), outputs=2)
HOLES = lambda: torch.tensor([[0.0, float("nan"), 1], [1, 1, 1], [float("inf"), 1, 1]])
aten("cdist_forward_0_nan", "_cdist_forward", ["$0", "$1", 0.0, None], HOLES, HOLES)
aten("pdist_forward_0_nan", "_pdist_forward", ["$0", 0.0], HOLES)
aten("histogram_equal_ends", "histogram.bin_ct", ["$0", 3, [2.0, 2.0], None, True], lambda: torch.tensor([0.5, 1.6, 2.0, 2.4, 3.5]), outputs=2)
aten("histogram_nothing", "histogram.bin_ct", ["$0", 3], (0,), outputs=2)
aten("bincount_nothing", "bincount", ["$0", "$1", 3], lambda: torch.zeros(0, dtype=torch.int64), (0,))
for dtype in (torch.int32, torch.uint8, torch.bool):
    name = str(dtype).split(".")[1]
    aten(f"nansum_{name}", "nansum", ["$0", [1], False, dtype], lambda: torch.tensor([[1.5, float("nan"), 3.0], [float("nan")] * 3]))
    aten(f"nansum_of_int_{name}", "nansum", ["$0", [1], True, dtype], ("int", (3, 4), 90))
for correction in (-1, 0, 1):
    aten(f"var_nothing_{correction}".replace("-", "m"), "var.correction", ["$0", [1], correction], (2, 0))
