# SPDX-License-Identifier: MIT
"""Cases: PyTorch's native forms of normalisations, weights of directions and magnitudes."""
import torch

from ..case import aten

for outputs in (1, 3):
    aten(f"layer_norm_{outputs}", "native_layer_norm", ["$0", [5], "$1", "$2", 1e-5], (2, 3, 5), (5,), (5,), outputs=outputs)
    aten(f"layer_norm_axes_{outputs}", "native_layer_norm", ["$0", [3, 5], None, None, 1e-3], (2, 3, 5), outputs=outputs)
    aten(f"group_norm_{outputs}", "native_group_norm", ["$0", "$1", "$2", 2, 6, 20, 3, 1e-5], (2, 6, 4, 5), (6,), (6,), outputs=outputs)
    aten(f"group_norm_plain_{outputs}", "native_group_norm", ["$0", None, None, 2, 6, 1, 2, 1e-2], (2, 6), outputs=outputs)
    aten(f"batch_norm_training_{outputs}", "native_batch_norm", ["$0", "$1", "$2", None, None, True, 0.1, 1e-5], (4, 3, 5), (3,), (3,), outputs=outputs)
    aten(f"batch_norm_legit_{outputs}", "_native_batch_norm_legit", ["$0", "$1", "$2", "$3", "$4", False, 0.1, 1e-5],
         (4, 3, 5), (3,), (3,), (3,), ("pos", (3,)), outputs=1)
    aten(f"batch_norm_no_stats_{outputs}", "_native_batch_norm_legit.no_stats", ["$0", "$1", "$2", True, 0.1, 1e-5], (4, 3, 2, 2), (3,), (3,), outputs=outputs)
    aten(f"batch_norm_no_training_{outputs}", "_native_batch_norm_legit_no_training", ["$0", "$1", "$2", "$3", "$4", 0.1, 1e-5],
         (4, 3, 5), (3,), (3,), (3,), ("pos", (3,)), outputs=outputs)
for outputs in (1, 2):
    aten(f"rms_norm_{outputs}", "_fused_rms_norm", ["$0", [5], "$1", 1e-5], (2, 3, 5), (5,), outputs=outputs)
    aten(f"rms_norm_plain_{outputs}", "_fused_rms_norm", ["$0", [3, 5], None, None], (2, 3, 5), outputs=outputs)
aten("layer_norm_double", "native_layer_norm", ["$0", [5], "$1", None, 1e-5], (torch.float64, (2, 5)), (torch.float64, (5,)), outputs=3)
aten("batch_norm_no_update", "_batch_norm_no_update", ["$0", "$1", None, "$2", "$3", 0.1, 1e-5], (4, 3, 5), (3,), (3,), ("pos", (3,)))

for axis, shape in ((0, (4, 1, 1)), (1, (1, 3, 1)), (2, (1, 1, 5))):
    aten(f"weight_norm_{axis}", "_weight_norm", ["$0", "$1", axis], (4, 3, 5), shape)
    aten(f"norm_except_{axis}", "norm_except_dim", ["$0", 2, axis], (4, 3, 5))
aten("weight_norm_all", "_weight_norm", ["$0", "$1", -1], (4, 3), ())
aten("weight_norm_vector", "_weight_norm", ["$0", "$1", 0], (4,), (4,))
aten("norm_except_power", "norm_except_dim", ["$0", 3, 1], (4, 3))
for axis, shape in ((0, (4, 1, 1)), (2, (1, 1, 5))):
    aten(f"weight_norm_interface_{axis}", "_weight_norm_interface", ["$0", "$1", axis], (4, 3, 5), shape, outputs=2)

ROWS = lambda: torch.tensor([[0.5, float("-inf"), 1.0], [float("-inf")] * 3])
aten("safe_softmax", "_safe_softmax", ["$0", -1], ROWS)
aten("safe_softmax_first", "_safe_softmax", ["$0", 0], ROWS)
aten("safe_softmax_type", "_safe_softmax", ["$0", 1, torch.float64], (3, 4))
CONSTANT = lambda: torch.tensor([[1.0, 2.0, 0.5], [1.0, 3.0, 0.5], [1.0, 5.0, 0.5]])
aten("batch_norm_constant", "batch_norm", ["$0", "$1", "$2", None, None, True, 0.1, 0.0, False], CONSTANT, (3,), (3,))
