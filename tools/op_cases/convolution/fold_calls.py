# SPDX-License-Identifier: MIT
"""Sliding blocks of drawn geometries, and wrong ones."""
import torch.nn.functional as F

from ..calls import bound, draw, wide


def fold(w):
    options = {"kernel_size": w.shape(2, 1, 3), "dilation": w.shape(2, 1, 2), "padding": [w.pick(0, 1), w.pick(0, 1)],
               "stride": w.shape(2, 1, 3)}
    lead, size = w.pick([], [2]), w.shape(2, 5, 7)
    x = w.tensor(*lead, 2, *size)
    blocks = F.unfold(x, **options)
    w.add("nn.Unfold", [x], options, [blocks], tolerance=0)
    w.add("F.fold", [blocks], {"output_size": size, **options}, wide(lambda t: F.fold(t, size, **options), blocks),
          names=["input"], tolerance=bound(9))
    w.add("aten::col2im", [blocks, size, *options.values()], {}, wide(lambda t: F.fold(t, size, **options), blocks),
          tolerance=bound(9))


def fold_errors(w):
    w.add("F.unfold", [w.tensor(5, 5)], {"kernel_size": 2}, error="expected rank 4")
    w.add("F.unfold", [w.tensor(1, 2, 3, 3)], {"kernel_size": 4}, error="covers 4 elements")
    w.add("F.fold", [w.tensor(1, 9, 4)], {"output_size": [3, 3], "kernel_size": 2}, error="a multiple of the kernel's 4")
    w.add("F.fold", [w.tensor(1, 8, 5)], {"output_size": [3, 3], "kernel_size": 2}, error="expected 4 for output_size")


draw("fold", 7, (fold_errors, 1), (fold, 30))
