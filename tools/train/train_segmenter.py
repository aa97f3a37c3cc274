#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains, measures and exports the shape segmenter: a small UNet with bilinear upsampling.

    train_segmenter.py train  --checkpoint segmenter.pt --minutes 10
    train_segmenter.py export --checkpoint segmenter.pt --out ../../tmp
    train_segmenter.py shares --checkpoint segmenter.pt --mask mask.png ../../tmp/shapes.png

The exported network takes RGB in 0..1, (1, 3, H, W) with sides that are multiples of 16, and gives logits (1, 1 +
classes, H, W); class 0 is the background.
"""

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from torch import nn

from scenes import CLASSES, framed_scene
from shape_training import command_line, export, fit, held_out_scenes, load, run, tensor_of

LABELS = ("background", *CLASSES)
WIDTHS = (16, 32, 64, 96)  # channels at 1/2, 1/4, ... of the size, on the way down
UP_WIDTHS = (16, 24, 48)   # channels on the way up
DIVISOR = 2 ** len(WIDTHS)
TRAINING, HELD_OUT = 2, 3  # first numbers of the scenes' seeds


def convolution(inputs, outputs, stride=1):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())


class UNet(nn.Module):
    """Works at half the picture's size, which costs a quarter. Only the logits are scaled to the full size."""

    def __init__(self, classes=len(LABELS)):
        super().__init__()
        inputs = (3, *WIDTHS)
        self.down = nn.ModuleList(nn.Sequential(convolution(before, after, 1 if index else 2), convolution(after, after))
                                  for index, (before, after) in enumerate(zip(inputs, WIDTHS)))
        below = (*UP_WIDTHS[1:], WIDTHS[-1])
        self.up = nn.ModuleList(convolution(lower + beside, width)
                                for lower, beside, width in zip(below, WIDTHS, UP_WIDTHS))
        self.classes = nn.Conv2d(UP_WIDTHS[0], classes, 1)

    def forward(self, x):
        kept = []
        for level in self.down:
            x = level(F.max_pool2d(x, 2) if kept else x)
            kept.append(x)
        for level, beside in zip(reversed(self.up), reversed(kept[:-1])):
            x = level(torch.cat([self.larger(x), beside], 1))
        return self.larger(self.classes(x))

    @staticmethod
    def larger(x):
        return F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)


def loss_of(logits, masks):
    """Returns cross entropy plus the Dice loss, in which a class with few pixels counts as much as the background."""
    chances = logits.softmax(1)
    wanted = F.one_hot(masks, len(LABELS)).permute(0, 3, 1, 2).float()
    both, either = (chances * wanted).sum((0, 2, 3)), chances.sum((0, 2, 3)) + wanted.sum((0, 2, 3))
    weights = torch.full((len(LABELS),), 2.0)
    weights[0] = 0.5
    return F.cross_entropy(logits, masks, weights) + (1 - (2 * both + 1) / (either + 1)).mean()


def train(arguments):
    torch.manual_seed(arguments.seed)
    model = UNet().to(memory_format=torch.channels_last).train()

    def loss_of_batch(rng):
        scenes = [framed_scene(rng, arguments.size) for _ in range(arguments.batch)]
        pictures = torch.from_numpy(np.stack([scene.picture for scene in scenes])).permute(0, 3, 1, 2).float() / 255
        masks = torch.from_numpy(np.stack([scene.mask for scene in scenes])).long()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=arguments.bfloat16):
            logits = model(pictures.contiguous(memory_format=torch.channels_last))
        return loss_of(logits.float(), masks)

    fit(model, arguments, np.random.default_rng([TRAINING, arguments.seed]), loss_of_batch, 0.995, 5.0)
    measure(arguments)


@torch.no_grad()
def segment(model, picture):
    """Returns the class of each pixel of a picture of any size."""
    height, width = picture.shape[:2]
    return model(tensor_of(picture, DIVISOR))[0].argmax(0).numpy()[:height, :width]


def measure_scenes(model, scenes):
    """Returns the intersection over union of each class over all scenes, and the share of right pixels. The model is a
    function of a tensor."""
    table = np.zeros((len(LABELS), len(LABELS)), np.int64)
    for scene in scenes:
        np.add.at(table, (scene.mask, segment(model, scene.picture)), 1)
    return table.diagonal() / (table.sum(0) + table.sum(1) - table.diagonal()), table.trace() / table.sum()


def measure(arguments):
    """Measures on held-out scenes."""
    model = load(UNet(), arguments.checkpoint)
    for name, scenes in held_out_scenes(HELD_OUT):
        share, right = measure_scenes(model, scenes)
        print(f"{name}: mean IoU {share.mean():.4f} ("
              + ", ".join(f"{label} {value:.3f}" for label, value in zip(LABELS, share))
              + f"), right pixels {right:.4f}")


def print_shares(arguments):
    """Prints each class' share of a picture's pixels as the demo `segment` does."""
    with Image.open(arguments.picture) as picture:
        mask = segment(load(UNet(), arguments.checkpoint), np.array(picture.convert("RGB")))
    for label, count in zip(LABELS, np.bincount(mask.ravel(), minlength=len(LABELS))):
        print(f"{label} {100 * count / mask.size:.3f} %")
    if arguments.mask:
        Image.fromarray(mask.astype(np.uint8)).save(arguments.mask)


def main():
    parser, printing = command_line(__doc__, 8, "mean IoU", "shares", "print the classes' shares of a picture")
    printing.add_argument("--mask", help="write the classes' numbers as a grey picture")
    run(parser, {"train": train, "measure": measure, "shares": print_shares,
                 "export": lambda arguments: export(load(UNet(), arguments.checkpoint), "shape_segmenter", LABELS,
                                                    arguments.out, 1e-3)})


if __name__ == "__main__":
    main()
