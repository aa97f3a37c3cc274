# SPDX-License-Identifier: MIT
"""Cases: constants as PyTorch's own operators make them, sequences, indices of triangles."""
import torch

from ..case import aten

aten("scalar_tensor_float", "scalar_tensor", [2.5])
aten("scalar_tensor_int", "scalar_tensor", [3])
aten("scalar_tensor_typed", "scalar_tensor", [3, torch.int64])
aten("scalar_tensor_bool", "scalar_tensor", [True, torch.bool])
aten("eye_square", "eye", [4])
aten("eye_typed", "eye", [3, torch.int64])
aten("eye_rectangle", "eye.m", [2, 4, torch.float64])
aten("eye_none", "eye", [0])
aten("arange_cut", "arange", [3.1, torch.int64])
aten("arange_cut_start", "arange.start", [0.9, 4.1, torch.int64])
for name, arguments in {"plain": [0, 2, 5], "base": [1, 3, 4, 2.0], "one": [1, 2, 1], "none": [1, 2, 0], "down": [2, -1, 7, 3.0], "int": [0, 10, 7, 2.0, torch.int32],
                        "double": [0, 2, 5, 10.0, torch.float64]}.items():
    aten(f"logspace_{name}", "logspace", arguments)
for side in ("tril", "triu"):
    for name, arguments in {"plain": [3, 4], "above": [3, 4, 2], "below": [4, 3, -2], "all": [3, 3, 9], "nothing": [3, 3, -9], "rows": [5, 1, 0], "columns": [1, 5, 1],
                            "empty": [0, 3], "typed": [3, 3, 0, torch.int32]}.items():
        aten(f"{side}_indices_{name}", f"{side}_indices", arguments)
