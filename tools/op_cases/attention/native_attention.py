# SPDX-License-Identifier: MIT
"""Cases: attention as exporters for the CPU write it."""
import torch

from ..case import aten

QKV = ((2, 4, 5, 8), (2, 4, 6, 8), (2, 4, 6, 8))
for name, arguments, more in (("plain", [], ()), ("causal", [0.0, True], ()), ("mask", [0.0, False, "$3"], ((5, 6),)), ("scale", [0.0, False, None, 0.3], ())):
    shapes = QKV if name != "causal" else (QKV[0], QKV[0], QKV[0])
    aten(f"flash_cpu_{name}", "_scaled_dot_product_flash_attention_for_cpu", ["$0", "$1", "$2", *arguments], *shapes, *more)
