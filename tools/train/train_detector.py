#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains, measures and exports the shape detector: anchor-free, three strides, the output of the YOLOv8 family.

    train_detector.py train  --checkpoint detector.pt --minutes 10
    train_detector.py export --checkpoint detector.pt --out ../../tmp
    train_detector.py boxes  --checkpoint detector.pt ../../tmp/shapes.png

The exported network takes RGB in 0..1, (1, 3, H, W) with sides that are multiples of 32, and gives (1, 4 + classes,
anchors): centre x, centre y, width and height in pixels, then each class' probability.
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

STRIDES = (8, 16, 32)
LARGEST = (40, 80, 1e9)  # a shape belongs to the first stride whose limit its longer side keeps
TRAINING, HELD_OUT = 0, 1  # first numbers of the scenes' seeds


class Convolution(nn.Sequential):
    def __init__(self, inputs, outputs, kernel=3, stride=1):
        super().__init__(nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outputs),
                         nn.SiLU())


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.inner = nn.Sequential(Convolution(channels, channels // 2), Convolution(channels // 2, channels))

    def forward(self, x):
        return x + self.inner(x)


class Detector(nn.Module):
    def __init__(self, classes=len(CLASSES), width=48):
        super().__init__()
        self.stem = nn.Sequential(Convolution(3, 16, stride=2), Convolution(16, 32, stride=2), Residual(32))
        self.fine = nn.Sequential(Convolution(32, 48, stride=2), Residual(48))
        self.middle = nn.Sequential(Convolution(48, 64, stride=2), Residual(64))
        self.coarse = nn.Sequential(Convolution(64, 96, stride=2), Residual(96))
        self.context = Convolution(3 * 96, width, 1)
        self.lateral = nn.ModuleList(Convolution(channels, width, 1) for channels in (48, 64))
        self.merge = nn.ModuleList(Convolution(width, width) for _ in STRIDES)
        # All strides share their heads: a shape looks the same at each of them, only larger.
        self.box = nn.Sequential(Convolution(width, width), nn.Conv2d(width, 4, 1))
        self.label = nn.Sequential(Convolution(width, width), nn.Conv2d(width, classes, 1))
        nn.init.constant_(self.label[-1].bias, -4.5)  # nearly all anchors are background

    def heads(self, x):
        """For each stride the distances to the four sides in units of the stride, and the classes' logits."""
        fine = self.fine(self.stem(x))
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        near = F.max_pool2d(coarse, 5, 1, 2)
        top = self.merge[2](self.context(torch.cat([coarse, near, F.max_pool2d(near, 5, 1, 2)], 1)))
        centre = self.merge[1](self.lateral[1](middle) + F.interpolate(top, scale_factor=2.0, mode="nearest"))
        bottom = self.merge[0](self.lateral[0](fine) + F.interpolate(centre, scale_factor=2.0, mode="nearest"))
        return [(F.softplus(self.box(level)), self.label(level)) for level in (bottom, centre, top)]

    def forward(self, x):
        anchors = []
        for stride, (distances, logits) in zip(STRIDES, self.heads(x)):
            left, top, right, bottom = distances.split(1, 1)
            # Running sums of ones count the columns and rows of whatever size comes: the export fixes none.
            ones = torch.ones_like(left)
            column, row = torch.cumsum(ones, 3) - 0.5, torch.cumsum(ones, 2) - 0.5
            boxes = torch.cat([column + (right - left) / 2, row + (bottom - top) / 2, left + right, top + bottom], 1)
            anchors.append(torch.cat([boxes * stride, logits.sigmoid()], 1).flatten(2))
        return torch.cat(anchors, 2)


def corners(boxes):
    """Centre and size to left, top, right, bottom; the coordinates come first."""
    return torch.cat([boxes[:2] - boxes[2:4] / 2, boxes[:2] + boxes[2:4] / 2])


def overlap(first, second):
    """Intersection over union, and the generalised one that also tells how far apart boxes are; (4, ...) each."""
    inner = (torch.minimum(first[2:], second[2:]) - torch.maximum(first[:2], second[:2])).clamp(min=0).prod(0)
    outer = (torch.maximum(first[2:], second[2:]) - torch.minimum(first[:2], second[:2])).prod(0)
    union = (first[2:] - first[:2]).prod(0) + (second[2:] - second[:2]).prod(0) - inner
    share = inner / union.clamp(min=1e-6)
    return share, share - (outer - union) / outer.clamp(min=1e-6)


def assign(scene, size):
    """For each anchor the number of the shape it has to find, or -1: those around the middle of a shape of its size."""
    found = []
    sides = (scene.boxes[:, 2:] - scene.boxes[:, :2]).max(1)
    for index, stride in enumerate(STRIDES):
        places = (np.arange(size // stride) + 0.5) * stride
        y, x = np.meshgrid(places, places, indexing="ij")
        target = np.full(y.shape, -1)
        smallest = 0 if index == 0 else LARGEST[index - 1]
        for shape in np.argsort(-sides):  # small ones last: they win where two want an anchor
            if not smallest < sides[shape] <= LARGEST[index]:
                continue
            left, top, right, bottom = scene.boxes[shape]
            reach = 1.3 * stride
            near = (abs(x - (left + right) / 2) < reach) & (abs(y - (top + bottom) / 2) < reach)
            target[near & (x > left) & (x < right) & (y > top) & (y < bottom)] = shape
        found.append(target.ravel())
    return np.concatenate(found)


def make_batch(rng, size, count):
    scenes = [framed_scene(rng, size) for _ in range(count)]
    pictures = torch.from_numpy(np.stack([scene.picture for scene in scenes])).permute(0, 3, 1, 2).float() / 255
    owner = np.stack([assign(scene, size) for scene in scenes])
    labels = np.full(owner.shape, -1)
    boxes = np.zeros((4, *owner.shape), np.float32)
    for index, scene in enumerate(scenes):
        positive = owner[index] >= 0
        labels[index, positive] = scene.classes[owner[index, positive]]
        boxes[:, index, positive] = scene.boxes[owner[index, positive]].T
    return pictures.contiguous(memory_format=torch.channels_last), torch.from_numpy(labels), torch.from_numpy(boxes)


def loss_of(heads, labels, boxes):
    """Classes learn how well the box of their anchor fits, so that the best box of a shape gets the best score."""
    logits, predicted = [], []
    for stride, (distances, level) in zip(STRIDES, heads):
        height, width = distances.shape[2:]
        column = torch.arange(width).add(0.5).expand(height, width).flatten()
        row = torch.arange(height).add(0.5)[:, None].expand(height, width).flatten()
        left, top, right, bottom = distances.float().flatten(2).unbind(1)
        predicted.append(torch.stack([column - left, row - top, column + right, row + bottom]) * stride)
        logits.append(level.float().flatten(2))
    logits, predicted = torch.cat(logits, 2), torch.cat(predicted, 2)
    positive = labels >= 0
    share, generalised = overlap(predicted[:, positive], boxes[:, positive])
    image, anchor = positive.nonzero(as_tuple=True)
    target = torch.zeros_like(logits)
    target[image, labels[positive], anchor] = share.detach().clamp(0.1, 1)
    count = max(1, int(positive.sum()))
    label_loss = F.binary_cross_entropy_with_logits(logits, target, reduction="sum") / count
    return label_loss + 2.5 * (1 - generalised).sum() / count


def train(arguments):
    torch.manual_seed(arguments.seed)
    model = Detector().to(memory_format=torch.channels_last).train()
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.997), use_buffers=True)
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
        pictures, labels, boxes = make_batch(rng, arguments.size, arguments.batch)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=arguments.bfloat16):
            heads = model.heads(pictures)
        loss = loss_of(heads, labels, boxes)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        optimizer.step()
        average.update_parameters(model)
        running = loss.item() if running is None else running + 0.03 * (loss.item() - running)
        if step % 50 == 0:
            print(f"{minutes:5.1f} min, step {step}, loss {running:.3f}", flush=True)
    torch.save({name: value.contiguous() for name, value in average.module.state_dict().items()}, arguments.checkpoint)
    measure(arguments)


def load(path):
    model = Detector().eval()
    model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    return model


@torch.no_grad()
def detect(model, picture, confidence, limit=0.45):
    """[(class, score, left, top, right, bottom)] by falling score, of a picture of any size: grey fills it up to 32."""
    height, width = picture.shape[:2]
    frame = np.full((-(-height // 32) * 32, -(-width // 32) * 32, 3), 114, np.uint8)
    frame[:height, :width] = picture
    found = model(torch.from_numpy(frame).permute(2, 0, 1)[None].float() / 255)[0]
    scores, labels = found[4:].max(0)
    order = scores.argsort(descending=True)
    order = order[scores[order] >= confidence][:300]
    boxes, kept = corners(found), []
    for index in order.tolist():
        rivals = [other for other in kept if labels[other] == labels[index]]
        if not rivals or overlap(boxes[:, rivals], boxes[:, [index]])[0].max() <= limit:
            kept.append(index)
    return [(int(labels[i]), float(scores[i]), *boxes[:, i].tolist()) for i in kept]


def average_precision(matches, positives):
    """Area under the precision-recall curve, precision made non-increasing; matches are (score, right or wrong)."""
    right = np.array([hit for _, hit in sorted(matches, key=lambda match: -match[0])], float)
    hits = np.cumsum(right)
    precision = np.maximum.accumulate((hits / np.arange(1, len(hits) + 1))[::-1])[::-1]
    return float((precision * right).sum() / positives)


def measure(arguments):
    """On held-out scenes: a found shape counts with an intersection over union of at least 0.5, once."""
    model = load(arguments.checkpoint)
    for name, count in (("framed 256 x 256", 300), ("640 x 480", 100)):
        matches, positives, shares = [[] for _ in CLASSES], np.zeros(len(CLASSES)), []
        for index in range(count):
            rng = np.random.default_rng([HELD_OUT, index])
            scene = framed_scene(rng, 256) if name.startswith("framed") else draw_scene(rng, 640, 480, 12)
            np.add.at(positives, scene.classes, 1)
            free = set(range(len(scene.classes)))
            for label, score, *box in detect(model, scene.picture, 0.01):
                candidates = [shape for shape in free if scene.classes[shape] == label]
                box = torch.tensor(box)[:, None]
                overlaps = [float(overlap(box, torch.from_numpy(scene.boxes[shape])[:, None])[0]) for shape in candidates]
                hit = max(overlaps, default=0) >= 0.5
                if hit:
                    free.remove(candidates[int(np.argmax(overlaps))])
                    shares.append(max(overlaps))
                matches[label].append((score, hit))
        mean = np.mean([average_precision(*pair) for pair in zip(matches, positives)])
        sure = [hit for of_class in matches for score, hit in of_class if score >= 0.25]
        print(f"{name}, {count} scenes, {int(positives.sum())} shapes: mAP@0.5 {mean:.4f}; at confidence 0.25 precision "
              f"{np.mean(sure):.4f}, recall {np.sum(sure) / positives.sum():.4f}; mean IoU of hits {np.mean(shares):.3f}")


def export(arguments):
    """Exports for any size: pnnx reads two sizes and writes '?' where they differ. Checks a third one."""
    model = load(arguments.checkpoint)
    arguments.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, torch.no_grad():
        trace = str(pathlib.Path(scratch) / "shape_detector.pt")
        exported = pnnx.export(model, trace, torch.rand(1, 3, 256, 320), torch.rand(1, 3, 384, 448), fp16=False)
        other = torch.rand(1, 3, 480, 640)
        torch.testing.assert_close(exported(other), model(other), rtol=1e-3, atol=1e-2)
        for suffix in ("param", "bin"):
            shutil.copyfile(f"{trace[:-3]}.pnnx.{suffix}", arguments.out / f"shape_detector.pnnx.{suffix}")
    (arguments.out / "shape_detector.labels.txt").write_text("".join(f"{name}\n" for name in CLASSES), encoding="ascii")


def print_boxes(arguments):
    """As the demo `detect` prints them: label, score, left, top, width, height."""
    with Image.open(arguments.picture) as picture:
        for label, score, left, top, right, bottom in detect(load(arguments.checkpoint),
                                                             np.array(picture.convert("RGB")), 0.25):
            print(f"{CLASSES[label]} {score:.4f} {left:.3f} {top:.3f} {right - left:.3f} {bottom - top:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train", help="train from scratch, then measure")
    training.add_argument("--minutes", type=float, default=10, help="time limit (default: 10)")
    training.add_argument("--steps", type=int, default=2000, help="batches to draw and learn (default: 2000)")
    training.add_argument("--batch", type=int, default=16, help="scenes in a batch (default: 16)")
    training.add_argument("--size", type=int, default=256, help="side of a scene (default: 256)")
    training.add_argument("--rate", type=float, default=3e-3, help="highest learning rate (default: 0.003)")
    training.add_argument("--seed", type=int, default=1, help="of weights and scenes (default: 1)")
    training.add_argument("--bfloat16", action="store_true", help="compute in bfloat16 where the processor has it")
    others = [commands.add_parser("measure", help="mAP, precision and recall on held-out scenes"),
              commands.add_parser("export", help="write the files of the model"),
              commands.add_parser("boxes", help="print the boxes of a picture")]
    others[1].add_argument("--out", type=pathlib.Path, required=True, help="folder of the files")
    others[2].add_argument("picture", help="PNG, JPEG, ...")
    for command in (training, *others):
        command.add_argument("--checkpoint", required=True, help="the weights' file")
        command.add_argument("--threads", type=int, default=1, help="of PyTorch (default: 1)")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    {"train": train, "measure": measure, "export": export, "boxes": print_boxes}[arguments.command](arguments)


if __name__ == "__main__":
    main()
