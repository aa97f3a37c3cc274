# SPDX-License-Identifier: MIT
"""Cases: losses as automatic differentiation calls them."""
import torch

from ..case import aten

for reduction in (0, 1, 2):
    aten(f"nll_forward_{reduction}", "nll_loss_forward", ["$0", "$1", "$2", reduction, 1], (4, 3), ("int", (4,), 3), ("pos", (3,)))
    aten(f"nll2d_forward_{reduction}", "nll_loss2d_forward", ["$0", "$1", None, reduction, -100], (2, 3, 4, 5), ("int", (2, 4, 5), 3))
    aten(f"multilabel_forward_{reduction}", "multilabel_margin_loss_forward", ["$0", "$1", reduction], (2, 4), lambda: torch.tensor([[1, 3, -1, 0], [2, -1, 0, 0]]))
