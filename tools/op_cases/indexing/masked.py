# SPDX-License-Identifier: MIT
"""Cases: positions of a fixed number, indexing under a mask."""
import torch

from ..case import aten

SOME = lambda: torch.tensor([[0.0, 1.5, float("nan")], [-2.0, 0.0, 0.0]])
for size in (0, 2, 3, 6):
    aten(f"nonzero_static_{size}", "nonzero_static", ["$0", size], SOME)
aten("nonzero_static_fill", "nonzero_static", ["$0", 4, 7], ("bool", (2, 2)))
aten("nonzero_static_int", "nonzero_static", ["$0", 5], ("signed", (2, 3), 2))
aten("nonzero_static_number", "nonzero_static", ["$0", 2], lambda: torch.tensor(3.0))
aten("nonzero_static_empty", "nonzero_static", ["$0", 2], (0, 3))

MASK = lambda: torch.tensor([[True, False, True], [False, True, True]])
ROWS = lambda: torch.tensor([[0, 9, -4], [-99, 3, 1]])
COLUMNS = lambda: torch.tensor([0, 2, -1])
aten("masked_index", "_unsafe_masked_index", ["$0", "$1", ["$2", "$3"], 0.5], (4, 3), MASK, ROWS, COLUMNS)
aten("masked_index_int", "_unsafe_masked_index", ["$0", "$1", ["$2", "$3"], -7], ("int", (4, 3), 9), MASK, ROWS, COLUMNS)
aten("masked_index_put", "_unsafe_masked_index_put_accumulate", ["$0", "$1", ["$2", "$3"], "$4"], (4, 3), MASK, ROWS, COLUMNS, (2, 3))
aten("masked_index_axis", "_unsafe_masked_index", ["$0", "$1", [None, "$2"], 1.0], (2, 3), lambda: torch.tensor([[True, False], [True, True]]), lambda: torch.tensor([2, 5]))
aten("unsafe_index", "_unsafe_index.Tensor", ["$0", ["$1", None]], (4, 3), lambda: torch.tensor([3, 0]))
aten("unsafe_index_put", "_unsafe_index_put", ["$0", ["$1"], "$2"], (4, 3), lambda: torch.tensor([3, 0]), (2, 3))
BAG = (lambda: torch.tensor([1, 4, 2, 0, 0]), lambda: torch.tensor([0, 2, 2]))
for mode in (0, 1, 2):
    aten(f"embedding_bag_{mode}", "_embedding_bag", ["$0", "$1", "$2", False, mode], (6, 3), *BAG)
    aten(f"embedding_bag_forward_{mode}", "_embedding_bag_forward_only", ["$0", "$1", "$2", False, mode], (6, 3), *BAG)
