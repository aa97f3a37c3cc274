# SPDX-License-Identifier: MIT
"""Rounding to grids with fractional zero points, and grids that follow from observed extremes."""
import torch

from ..calls import draw


def fractional_zeros(w):
    x = w.tensor(3, 40) * 5
    scales = torch.tensor([0.5, 0.125, 0.3])
    for zeros in (torch.tensor([0.5, 1.0, 2.3]), torch.tensor([3.0, -7.75, 0.0])):
        for least, most in ((-8, 7), (-128, 127)):
            w.call("aten::fake_quantize_per_channel_affine",
                   lambda: torch.fake_quantize_per_channel_affine(x, scales, zeros, 0, least, most),
                   [x, scales, zeros, 0, least, most], tolerance=1e-6)
            w.call("aten::fake_quantize_per_channel_affine_cachemask",
                   lambda: torch.ops.aten.fake_quantize_per_channel_affine_cachemask(x, scales, zeros, 0, least, most),
                   [x, scales, zeros, 0, least, most], tolerance=1e-6)
    w.refuse("aten::fake_quantize_per_tensor_affine_cachemask", [x, 0.1, 20, 0, 15], {}, "zero_point is 20", outputs=[x, x > 0])


def observed(w):
    x = torch.linspace(-4, 4, 50)
    for low, high in ((-1.0, 2.0), (-1e-9, 1e-9), (-1e-5, 0.0), (0.0, 0.0), (1.0, 3.0)):
        for least, most in ((0, 255), (-128, 127), (0, 15)):
            for symmetric in (False, True):
                def given():
                    return [x, torch.tensor([0]), torch.tensor([1]), torch.tensor([low]), torch.tensor([high]),
                            torch.tensor([1.0]), torch.tensor([0], dtype=torch.int32), 0.01, least, most, 0, False, symmetric]
                w.call("aten::fused_moving_avg_obs_fake_quant", lambda: torch.fused_moving_avg_obs_fake_quant(*given()), given(), tolerance=1e-6)


draw("fake_quantize_grids", 1, (fractional_zeros, 1), (observed, 1))
