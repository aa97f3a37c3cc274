#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains, measures and exports the shape detector: anchor-free, three strides, the output of the YOLOv8 family.

    train_detector.py train  --checkpoint detector.pt --minutes 10
    train_detector.py export --checkpoint detector.pt --out ../../tmp
    train_detector.py boxes  --checkpoint detector.pt ../../tmp/shapes.png

The exported network takes RGB in 0..1, (1, 3, H, W) with sides that are multiples of 32, and gives (1, 4 + classes,
anchors): centre x, centre y, width and height in pixels, then each class' probability.
"""

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from torch import nn

from scenes import CLASSES, framed_scene
from shape_training import command_line, export, fit, held_out_scenes, load, run, tensor_of

STRIDES = (8, 16, 32)
LARGEST = (40, 80, 1e9)  # a shape belongs to the first stride whose limit its longer side does not exceed
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
        # All strides share their heads, because a shape looks the same at each stride, only larger.
        self.box = nn.Sequential(Convolution(width, width), nn.Conv2d(width, 4, 1))
        self.label = nn.Sequential(Convolution(width, width), nn.Conv2d(width, classes, 1))
        nn.init.constant_(self.label[-1].bias, -4.5)  # nearly all anchors are background

    def heads(self, x):
        """Returns, for each stride, the distances to the four sides in units of the stride, and the classes' logits."""
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
            # Running sums of ones count columns and rows of any size, so that the export does not fix a size.
            ones = torch.ones_like(left)
            column, row = torch.cumsum(ones, 3) - 0.5, torch.cumsum(ones, 2) - 0.5
            boxes = torch.cat([column + (right - left) / 2, row + (bottom - top) / 2, left + right, top + bottom], 1)
            anchors.append(torch.cat([boxes * stride, logits.sigmoid()], 1).flatten(2))
        return torch.cat(anchors, 2)


def corners(boxes):
    """Converts centre and size to left, top, right, bottom; the coordinates are the first axis."""
    return torch.cat([boxes[:2] - boxes[2:4] / 2, boxes[:2] + boxes[2:4] / 2])


def overlap(first, second):
    """Returns intersection over union, and the generalised one, which also measures how far apart boxes are; (4, ...) each."""
    inner = (torch.minimum(first[2:], second[2:]) - torch.maximum(first[:2], second[:2])).clamp(min=0).prod(0)
    outer = (torch.maximum(first[2:], second[2:]) - torch.minimum(first[:2], second[:2])).prod(0)
    union = (first[2:] - first[:2]).prod(0) + (second[2:] - second[:2]).prod(0) - inner
    share = inner / union.clamp(min=1e-6)
    return share, share - (outer - union) / outer.clamp(min=1e-6)


def assign(scene, size):
    """Returns, for each anchor, the number of the shape that it has to find, or -1. An anchor finds shapes of its size around it."""
    found = []
    sides = (scene.boxes[:, 2:] - scene.boxes[:, :2]).max(1)
    for index, stride in enumerate(STRIDES):
        places = (np.arange(size // stride) + 0.5) * stride
        y, x = np.meshgrid(places, places, indexing="ij")
        target = np.full(y.shape, -1)
        smallest = 0 if index == 0 else LARGEST[index - 1]
        for shape in np.argsort(-sides):  # small ones last: they win if two shapes have the same anchor
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
    """Returns the loss. Classes learn how well the box of their anchor fits, so that the best box of a shape has the best score."""
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

    def loss_of_batch(rng):
        pictures, labels, boxes = make_batch(rng, arguments.size, arguments.batch)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=arguments.bfloat16):
            heads = model.heads(pictures)
        return loss_of(heads, labels, boxes)

    fit(model, arguments, np.random.default_rng([TRAINING, arguments.seed]), loss_of_batch, 0.997, 10.0)
    measure(arguments)


@torch.no_grad()
def detect(model, picture, confidence, limit=0.45):
    """Returns [(class, score, left, top, right, bottom)] by falling score, for a picture of any size."""
    found = model(tensor_of(picture, STRIDES[-1]))[0]
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
    """Returns the area under the precision-recall curve with non-increasing precision; matches are (score, is right)."""
    right = np.array([hit for _, hit in sorted(matches, key=lambda match: -match[0])], float)
    hits = np.cumsum(right)
    precision = np.maximum.accumulate((hits / np.arange(1, len(hits) + 1))[::-1])[::-1]
    return float((precision * right).sum() / positives)


def measure_scenes(model, scenes):
    """Returns mAP, precision and recall at confidence 0.25, and the mean intersection over union of right boxes. A shape is
    found if a box overlaps it by an intersection over union of at least 0.5. The model is a function of a tensor."""
    matches, positives, shares = [[] for _ in CLASSES], np.zeros(len(CLASSES)), []
    for scene in scenes:
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
    drawn = [pair for pair in zip(matches, positives) if pair[1] > 0]  # few scenes may lack a class
    mean = np.mean([average_precision(*pair) for pair in drawn])
    sure = [hit for of_class in matches for score, hit in of_class if score >= 0.25]
    return mean, np.mean(sure), np.sum(sure) / positives.sum(), np.mean(shares)


def measure(arguments):
    """Measures on held-out scenes."""
    model = load(Detector(), arguments.checkpoint)
    for name, scenes in held_out_scenes(HELD_OUT):
        mean, precision, recall, share = measure_scenes(model, scenes)
        print(f"{name}, {sum(len(scene.classes) for scene in scenes)} shapes: mAP@0.5 {mean:.4f}; at confidence 0.25 "
              f"precision {precision:.4f}, recall {recall:.4f}; mean IoU of hits {share:.3f}")


def print_boxes(arguments):
    """Prints boxes as the demo `detect` does: label, score, left, top, width, height."""
    with Image.open(arguments.picture) as picture:
        for label, score, left, top, right, bottom in detect(load(Detector(), arguments.checkpoint),
                                                             np.array(picture.convert("RGB")), 0.25):
            print(f"{CLASSES[label]} {score:.4f} {left:.3f} {top:.3f} {right - left:.3f} {bottom - top:.3f}")


def main():
    parser, _ = command_line(__doc__, 16, "mAP, precision and recall", "boxes", "print the boxes of a picture")
    run(parser, {"train": train, "measure": measure, "boxes": print_boxes,
                 "export": lambda arguments: export(load(Detector(), arguments.checkpoint), "shape_detector", CLASSES,
                                                    arguments.out, 1e-2)})


if __name__ == "__main__":
    main()
