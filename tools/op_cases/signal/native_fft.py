# SPDX-License-Identifier: MIT
"""Cases: Fourier transforms as PyTorch's own ones call them."""
import torch

from ..case import aten

for factor in (0, 1, 2):
    for flag in (False, True):
        aten(f"c2c_{factor}_{int(flag)}", "_fft_c2c", ["$0", [1, 2], factor, flag], (torch.complex64, (2, 3, 4)))
        aten(f"r2c_{factor}_{int(flag)}", "_fft_r2c", ["$0", [0, 2], factor, flag], (3, 2, 5))
    for size in (6, 7):
        aten(f"c2r_{factor}_{size}", "_fft_c2r", ["$0", [0, 1], factor, size], (torch.complex64, (3, 4)))
aten("c2c_double", "_fft_c2c", ["$0", [0], 0, True], (torch.complex128, (5,)))
