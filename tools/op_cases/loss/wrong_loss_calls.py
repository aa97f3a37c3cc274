# SPDX-License-Identifier: MIT
"""Wrong calls of losses, each with a part of its error."""
import torch

from ..calls import draw


def wrong_losses(w):
    x, y = w.tensor(4, 3), w.tensor(4, 3)
    classes = torch.tensor([0, 2, 1, 1])
    for smoothing in (-0.5, 1.5):
        w.refuse("aten::cross_entropy_loss", [x, classes, None, 1, -100, smoothing], {}, f"label_smoothing is {smoothing}, expected 0 to 1")
    w.refuse("aten::cross_entropy_loss", [x, classes.int(), None, 1, -100, 0.0], {}, "expected class numbers or (4,3)")
    for delta in (0.0, -1.0):
        w.refuse("aten::huber_loss", [x, y, 1, delta], {}, "expected more than 0")
    w.refuse("aten::smooth_l1_loss", [x, y, 1, -1.0], {}, "beta is -1, expected 0 or more")


draw("wrong_losses", 1, (wrong_losses, 1))
