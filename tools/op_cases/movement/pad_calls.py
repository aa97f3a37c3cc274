# SPDX-License-Identifier: MIT
"""Padding and shuffling of drawn shapes."""
import torch
import torch.nn.functional as F

from ..calls import draw


def pad(w):
    rank = w.rng.randint(1, 5)
    x = w.tensor(*w.shape(rank, 2, 6 if rank < 3 else 3))
    mode = w.pick("constant", "reflect", "replicate", "circular")
    if mode == "constant":
        pairs = w.rng.randint(1, rank)
        amounts = [w.rng.randint(-1, 3) for _ in range(2 * pairs)]
        value = w.pick(None, 1.3, -3.0)
        out = F.pad(x, amounts, mode, value)
        w.add(w.pick("F.pad", "nn.ConstantPad2d"), [x], {"pad": amounts, "mode": mode, "value": value}, [out],
              tolerance=0)
        return
    pairs = w.rng.randint(1, 3)
    x = w.tensor(*w.leading(False), *w.shape(pairs, 4, 6 if pairs < 3 else 4))
    amounts = [w.rng.randint(0, 3) for _ in range(2 * pairs)]
    w.add("F.pad", [x], {"pad": amounts, "mode": mode, "value": None}, [F.pad(x, amounts, mode)], tolerance=0)


def shuffles(w):
    for shape in [(2, 8, 3, 4), (8, 2, 3), (2, 2, 4, 2, 3), (0, 4, 2, 2)]:
        x = w.tensor(*shape)
        w.add("nn.PixelShuffle", [x], {"upscale_factor": 2}, [F.pixel_shuffle(x, 2)], tolerance=0)
    for shape in [(2, 3, 4, 6), (3, 2, 4), (2, 2, 1, 4, 2)]:
        x = w.tensor(*shape).mul(9).long()
        w.add("F.pixel_unshuffle", [x], {"downscale_factor": 2}, [F.pixel_unshuffle(x, 2)], tolerance=0)
    for shape in [(2, 6, 2, 3), (1, 6, 3), (2, 6, 2, 1, 2)]:
        for groups in (1, 2, 3):
            x = w.tensor(*shape)
            w.add("nn.ChannelShuffle", [x], {"groups": groups}, [torch.channel_shuffle(x, groups)], tolerance=0)
    for op, shape, params, text in [("nn.PixelShuffle", (1, 6, 2, 2), {"upscale_factor": 2}, "a multiple of 4"),
                                    ("nn.PixelShuffle", (4, 2), {"upscale_factor": 2}, "rank 3 or more"),
                                    ("nn.PixelShuffle", (1, 4, 2, 2), {"upscale_factor": 0}, "upscale_factor is 0"),
                                    ("nn.PixelUnshuffle", (1, 4, 3, 2), {"downscale_factor": 2}, "multiples of 2"),
                                    ("nn.ChannelShuffle", (1, 6, 2), {"groups": 4}, "multiple of groups 4")]:
        w.add(op, [w.tensor(*shape)], params, error=text)


draw("pad", 1, (pad, 20))
draw("shuffles", 7, (shuffles, 1))
