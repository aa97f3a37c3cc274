# SPDX-License-Identifier: MIT
"""Cases: losses as automatic differentiation calls them, targets that are neither 1 nor -1."""
import torch

from ..case import aten

for reduction in (0, 1, 2):
    aten(f"nll_forward_{reduction}", "nll_loss_forward", ["$0", "$1", "$2", reduction, 1], (4, 3), ("int", (4,), 3), ("pos", (3,)))
    aten(f"nll2d_forward_{reduction}", "nll_loss2d_forward", ["$0", "$1", None, reduction, -100], (2, 3, 4, 5), ("int", (2, 4, 5), 3))
    aten(f"multilabel_forward_{reduction}", "multilabel_margin_loss_forward", ["$0", "$1", reduction], (2, 4), lambda: torch.tensor([[1, 3, -1, 0], [2, -1, 0, 0]]))

TARGETS = lambda: torch.tensor([1.0, -1.0, 0.0, 0.5, 2.0, 1.0, -1.0])
INPUTS = lambda: torch.tensor([0.5, 0.5, 0.5, -3.0, 3.0, float("-inf"), float("inf")])
for reduction in (0, 1, 2):
    aten(f"hinge_embedding_any_{reduction}", "hinge_embedding_loss", ["$0", "$1", 1.0, reduction], INPUTS, TARGETS)
    aten(f"cosine_embedding_any_{reduction}", "cosine_embedding_loss", ["$0", "$1", "$2", 0.5, reduction],
         lambda: torch.tensor([[1.0, 2.0], [2.0, 1.0], [float("nan"), 1.0], [float("inf"), 1.0]]), (4, 2), lambda: torch.tensor([1.0, -1.0, 0.0, 2.0]))
BYTES = (torch.uint8, ("int", (4,), 3))
aten("nll_bytes", "nll_loss_nd", ["$0", "$1", "$2", 1, 1], (4, 3), BYTES, ("pos", (3,)))
aten("cross_entropy_bytes", "cross_entropy_loss", ["$0", "$1", "$2", 1, -100, 0.0], (4, 3), BYTES, ("pos", (3,)))
aten("ctc_int32", "ctc_loss.Tensor", ["$0", "$1", "$2", "$3", 0, 0, False], lambda: torch.log_softmax(torch.randn(8, 2, 5), 2),
     lambda: torch.tensor([[1, 2, 2], [3, 1, 0]], dtype=torch.int32), lambda: torch.tensor([8, 7]), lambda: torch.tensor([3, 2]))
aten("ctc_int32_lists", "ctc_loss.IntList", ["$0", "$1", [8, 7], [3, 2], 0, 1, True], lambda: torch.log_softmax(torch.randn(8, 2, 5), 2),
     lambda: torch.tensor([1, 2, 2, 3, 1], dtype=torch.int32))
