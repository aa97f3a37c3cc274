# SPDX-License-Identifier: MIT
"""Cases: images sampled at given points."""
import torch
import torch.nn.functional as F

from ..case import fn, raw


def grid(*shape):
    """Points on the image and around it."""
    return lambda: torch.rand(shape) * 3 - 1.5


for mode in ("bilinear", "nearest", "bicubic"):
    for border in ("zeros", "border", "reflection"):
        for corners in (False, True):
            fn(f"grid_sample_{mode}_{border}_corners{int(corners)}", lambda x, g, m=mode, b=border, c=corners: F.grid_sample(x, g, m, b, c), (2, 3, 5, 6), grid(2, 4, 7, 2))
            if mode != "bicubic":
                fn(f"grid_sample_3d_{mode}_{border}_corners{int(corners)}", lambda x, g, m=mode, b=border, c=corners: F.grid_sample(x, g, m, b, c), (2, 2, 3, 4, 5), grid(2, 3, 2, 4, 3))
fn("grid_sample_default", lambda x, g: F.grid_sample(x, g), (1, 2, 4, 4), grid(1, 3, 3, 2))
fn("grid_sample_one_pixel", lambda x, g: (F.grid_sample(x, g, padding_mode="reflection", align_corners=True), F.grid_sample(x, g, "bicubic", "reflection", align_corners=True)), (1, 2, 1, 1), grid(1, 3, 3, 2))
fn("grid_sample_far", lambda x, g: (F.grid_sample(x, g * 1e20), F.grid_sample(x, g * 1e20, padding_mode="border"), F.grid_sample(x, g * 1e20, "bicubic"), F.grid_sample(x, g * 1e20, "nearest")), (1, 2, 4, 4), grid(1, 3, 3, 2))
fn("grid_sample_not_a_number", lambda x, g: (F.grid_sample(x, g / g, padding_mode="border"), F.grid_sample(x, g / g, "nearest")), (1, 2, 4, 4), lambda: torch.zeros(1, 3, 3, 2))
for mode, border, corners in ((m, b, c) for m in range(3) for b in range(3) for c in (False, True)):
    numbers = torch.tensor([0.3, float("nan"), 0.1, float("inf"), -0.4, float("-inf"), 0.2, 0.5])
    places = lambda rank, n=numbers: torch.stack([n, *[torch.full_like(n, 0.2)] * (rank - 1)], -1)
    for rank in (2, 3) if mode < 2 else (2,):
        raw(f"grid_sample_not_finite_{rank}d_{mode}{border}_corners{int(corners)}", "aten::grid_sampler",
            lambda x, g, m=mode, b=border, c=corners: torch.grid_sampler(x, g, m, b, c), ("$0", "$1", mode, border, corners),
            (1, 2, *(3, 4, 5)[:rank]),
            lambda r=rank, p=places: torch.cat([p(r), p(r).flip(-1)]).reshape(1, *[1] * (r - 1), 16, r))
fn("grid_sample_many_points", lambda x, g: F.grid_sample(x, g, align_corners=False), (1, 1, 9, 8), grid(1, 9, 11, 2), other=((1, 1, 7, 6), grid(1, 5, 13, 2)))
fn("grid_sample_no_points", lambda x, g: F.grid_sample(x, g), (1, 2, 4, 4), (1, 0, 3, 2))
fn("grid_sample_f64", lambda x, g: (F.grid_sample(x, g, "bicubic"), F.grid_sample(x, g, padding_mode="reflection")), (torch.float64, (1, 2, 4, 4)), (torch.float64, grid(1, 3, 3, 2)))
for corners in (False, True):
    fn(f"affine_grid_corners{int(corners)}", lambda t, c=corners: F.affine_grid(t, (2, 3, 4, 5), align_corners=c), (2, 2, 3))
    fn(f"affine_grid_3d_corners{int(corners)}", lambda t, c=corners: F.affine_grid(t, (2, 1, 3, 4, 5), align_corners=c), (2, 3, 4))
fn("affine_grid_default", lambda t: F.affine_grid(t, (1, 1, 1, 6)), (1, 2, 3))
fn("affine_grid_f64", lambda t: F.affine_grid(t, (1, 1, 3, 1)), (torch.float64, (1, 2, 3)))
fn("affine_grid_sized", lambda t, x: F.grid_sample(x, F.affine_grid(t, x.size())), (2, 2, 3), (2, 3, 4, 5), other=((3, 2, 3), (3, 3, 6, 4)))

for type, x, g in (("grid_sampler", (2, 3, 4, 5), (2, 3, 6, 2)), ("grid_sampler_2d", (1, 2, 4, 5), (1, 3, 6, 2)), ("grid_sampler_3d", (1, 2, 3, 4, 5), (1, 3, 2, 4, 3))):
    for mode, border, corners in ((0, 0, False), (1, 1, True), (0 if len(x) == 5 else 2, 2, True)):
        raw(f"aten_{type}_{mode}{border}", "aten::" + type, lambda x, g, m=mode, b=border, c=corners: torch.grid_sampler(x, g, m, b, c), ("$0", "$1", mode, border, corners), x, grid(*g))
raw("aten_affine_grid_generator", "aten::affine_grid_generator", lambda t: torch.affine_grid_generator(t, (2, 1, 3, 4), True), ("$0", [2, 1, 3, 4], True), (2, 2, 3))
