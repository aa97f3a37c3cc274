#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains, measures and exports the shape segmenter: a small UNet with bilinear upsampling.

    train_segmenter.py train  --checkpoint segmenter.pt --minutes 10
    train_segmenter.py export --checkpoint segmenter.pt --out ../../tmp
    train_segmenter.py shares --checkpoint segmenter.pt --mask mask.png ../../tmp/shapes.png

The exported network takes RGB in 0..1, (1, 3, H, W) with sides that are multiples of 16, and gives logits (1, 1 +
classes, H, W); class 0 is the background.
"""

import argparse
import math
import pathlib
import shutil
import tempfile
import time

import numpy as np
import pnnx
import torch
import torch.nn.functional as F
from PIL import Image
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from scenes import CLASSES, draw_scene, framed_scene

LABELS = ("background", *CLASSES)
WIDTHS = (16, 32, 64, 96)  # channels at 1/2, 1/4, ... of the size, on the way down
UP_WIDTHS = (16, 24, 48)   # and on the way up
DIVISOR = 2 ** len(WIDTHS)
TRAINING, HELD_OUT = 2, 3  # first numbers of the scenes' seeds


def convolution(inputs, outputs, stride=1):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())


class UNet(nn.Module):
    """Works at half the picture's size, which costs a quarter; only the logits get the full size again."""

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
    """Cross entropy, and the Dice loss, to which a class with few pixels counts as much as the background."""
    chances = logits.softmax(1)
    wanted = F.one_hot(masks, len(LABELS)).permute(0, 3, 1, 2).float()
    both, either = (chances * wanted).sum((0, 2, 3)), chances.sum((0, 2, 3)) + wanted.sum((0, 2, 3))
    weights = torch.full((len(LABELS),), 2.0)
    weights[0] = 0.5
    return F.cross_entropy(logits, masks, weights) + (1 - (2 * both + 1) / (either + 1)).mean()


def train(arguments):
    torch.manual_seed(arguments.seed)
    model = UNet().to(memory_format=torch.channels_last).train()
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.995), use_buffers=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=arguments.rate, weight_decay=0.02)
    rng = np.random.default_rng([TRAINING, arguments.seed])
    started, running = time.monotonic(), None
    for step in range(1, 1_000_000):
        # Whichever is used up first, steps or time, ends the schedule: a busy machine must still reach its low rates.
        minutes = (time.monotonic() - started) / 60
        progress = max(step / arguments.steps, minutes / arguments.minutes)
        if progress >= 1:
            break
        warm = min(1.0, step / 100)
        optimizer.param_groups[0]["lr"] = arguments.rate * warm * max(0.01, 0.5 + 0.5 * math.cos(math.pi * progress))
        scenes = [framed_scene(rng, arguments.size) for _ in range(arguments.batch)]
        pictures = torch.from_numpy(np.stack([scene.picture for scene in scenes])).permute(0, 3, 1, 2).float() / 255
        masks = torch.from_numpy(np.stack([scene.mask for scene in scenes])).long()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=arguments.bfloat16):
            logits = model(pictures.contiguous(memory_format=torch.channels_last))
        loss = loss_of(logits.float(), masks)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        average.update_parameters(model)
        running = loss.item() if running is None else running + 0.03 * (loss.item() - running)
        if step % 50 == 0:
            print(f"{minutes:5.1f} min, step {step}, loss {running:.4f}", flush=True)
    torch.save({name: value.contiguous() for name, value in average.module.state_dict().items()}, arguments.checkpoint)
    measure(arguments)


def load(path):
    model = UNet().eval()
    model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    return model


@torch.no_grad()
def segment(model, picture):
    """The class of each pixel of a picture of any size: grey fills it up to the network's multiple."""
    height, width = picture.shape[:2]
    frame = np.full((-(-height // DIVISOR) * DIVISOR, -(-width // DIVISOR) * DIVISOR, 3), 114, np.uint8)
    frame[:height, :width] = picture
    return model(torch.from_numpy(frame).permute(2, 0, 1)[None].float() / 255)[0].argmax(0).numpy()[:height, :width]


def measure(arguments):
    """On held-out scenes: intersection over union of each class' pixels, all scenes together."""
    model = load(arguments.checkpoint)
    for name, count in (("framed 256 x 256", 300), ("640 x 480", 100)):
        table = np.zeros((len(LABELS), len(LABELS)), np.int64)
        for index in range(count):
            rng = np.random.default_rng([HELD_OUT, index])
            scene = framed_scene(rng, 256) if name.startswith("framed") else draw_scene(rng, 640, 480, 12)
            np.add.at(table, (scene.mask, segment(model, scene.picture)), 1)
        share = table.diagonal() / (table.sum(0) + table.sum(1) - table.diagonal())
        print(f"{name}, {count} scenes: mean IoU {share.mean():.4f} ("
              + ", ".join(f"{label} {value:.3f}" for label, value in zip(LABELS, share))
              + f"), right pixels {table.trace() / table.sum():.4f}")


def export(arguments):
    """Exports for any size: pnnx reads two sizes and writes '?' where they differ. Checks a third one."""
    model = load(arguments.checkpoint)
    arguments.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, torch.no_grad():
        trace = str(pathlib.Path(scratch) / "shape_segmenter.pt")
        exported = pnnx.export(model, trace, torch.rand(1, 3, 256, 320), torch.rand(1, 3, 384, 448), fp16=False)
        other = torch.rand(1, 3, 480, 640)
        torch.testing.assert_close(exported(other), model(other), rtol=1e-3, atol=1e-3)
        for suffix in ("param", "bin"):
            shutil.copyfile(f"{trace[:-3]}.pnnx.{suffix}", arguments.out / f"shape_segmenter.pnnx.{suffix}")
    (arguments.out / "shape_segmenter.labels.txt").write_text("".join(f"{name}\n" for name in LABELS), encoding="ascii")


def print_shares(arguments):
    """Each class' share of a picture's pixels, as the demo `segment` prints it."""
    with Image.open(arguments.picture) as picture:
        mask = segment(load(arguments.checkpoint), np.array(picture.convert("RGB")))
    for label, count in zip(LABELS, np.bincount(mask.ravel(), minlength=len(LABELS))):
        print(f"{label} {100 * count / mask.size:.3f} %")
    if arguments.mask:
        Image.fromarray(mask.astype(np.uint8)).save(arguments.mask)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train", help="train from scratch, then measure")
    training.add_argument("--minutes", type=float, default=10, help="time limit (default: 10)")
    training.add_argument("--steps", type=int, default=2000, help="batches to draw and learn (default: 2000)")
    training.add_argument("--batch", type=int, default=8, help="scenes in a batch (default: 8)")
    training.add_argument("--size", type=int, default=256, help="side of a scene (default: 256)")
    training.add_argument("--rate", type=float, default=3e-3, help="highest learning rate (default: 0.003)")
    training.add_argument("--seed", type=int, default=1, help="of weights and scenes (default: 1)")
    training.add_argument("--bfloat16", action="store_true", help="compute in bfloat16 where the processor has it")
    others = [commands.add_parser("measure", help="mean IoU on held-out scenes"),
              commands.add_parser("export", help="write the files of the model"),
              commands.add_parser("shares", help="print the classes' shares of a picture")]
    others[1].add_argument("--out", type=pathlib.Path, required=True, help="folder of the files")
    others[2].add_argument("--mask", help="write the classes' numbers as a grey picture")
    others[2].add_argument("picture", help="PNG, JPEG, ...")
    for command in (training, *others):
        command.add_argument("--checkpoint", required=True, help="the weights' file")
        command.add_argument("--threads", type=int, default=1, help="of PyTorch (default: 1)")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    {"train": train, "measure": measure, "export": export, "shares": print_shares}[arguments.command](arguments)


if __name__ == "__main__":
    main()
