#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws scenes of plain shapes for the shape detector and the shape segmenter, with their boxes and masks.

    scenes.py --seed 5 --width 640 --height 480 --shapes 10 shapes.png

writes one scene and prints `class left top right bottom` of each shape. A seed always gives the same scene.
"""

import argparse
import dataclasses

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

CLASSES = ("circle", "square", "triangle", "star", "cross")
FRAME_GREY = 114  # the grey that detectors of the YOLO family put around a picture
_OVERSAMPLING = 4


@dataclasses.dataclass
class Scene:
    picture: np.ndarray  # uint8 (height, width, 3), RGB
    boxes: np.ndarray    # float32 (shapes, 4): left, top, right, bottom in pixels, hidden parts included
    classes: np.ndarray  # int64 (shapes,): index into CLASSES
    mask: np.ndarray     # uint8 (height, width): 0 background, 1 + class elsewhere


def _outline(kind, rng):
    """Returns the corners of a shape around the origin with a largest radius of 1, (corners, 2)."""
    if kind == "circle":
        angles = np.linspace(0, 2 * np.pi, 96, endpoint=False)
        return np.stack([np.cos(angles), np.sin(angles)], 1)
    if kind == "cross":
        arm = rng.uniform(0.24, 0.38)
        points = np.array([(arm, arm), (arm, 1), (-arm, 1), (-arm, arm), (-1, arm), (-1, -arm),
                           (-arm, -arm), (-arm, -1), (arm, -1), (arm, -arm), (1, -arm), (1, arm)])
        points /= np.hypot(arm, 1)
    else:
        corners = {"square": 4, "triangle": 3, "star": 10}[kind]
        radii = np.ones(corners)
        if kind == "star":
            radii[1::2] = rng.uniform(0.38, 0.5)
        angles = np.arange(corners) * 2 * np.pi / corners
        points = np.stack([radii * np.cos(angles), radii * np.sin(angles)], 1)
    turn = rng.uniform(0, 2 * np.pi)
    return points @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])


def _background(rng, width, height):
    """Returns a colour, a gradient between two colours, or soft blotches; float32 (height, width, 3)."""
    first, second = rng.uniform(0, 255, 3), rng.uniform(0, 255, 3)
    kind = rng.integers(3)
    if kind == 0:
        weight = np.zeros((height, width))
    elif kind == 1:
        direction = rng.uniform(0, 2 * np.pi)
        y, x = np.mgrid[0:height, 0:width]
        weight = x * np.cos(direction) / width + y * np.sin(direction) / height
        weight = (weight - weight.min()) / max(np.ptp(weight), 1e-6)
    else:
        second = np.clip(first + rng.uniform(-60, 60, 3), 0, 255)
        coarse = rng.uniform(0, 255, (max(2, height // 40), max(2, width // 40))).astype(np.uint8)
        weight = np.asarray(Image.fromarray(coarse).resize((width, height), Image.BICUBIC)) / 255
    return (first + (second - first) * weight[..., None]).astype(np.float32)


def _coverage(points, left, top, width, height):
    """Returns the share of each pixel of a rectangle that the polygon covers, 0 to 1."""
    large = Image.new("L", (width * _OVERSAMPLING, height * _OVERSAMPLING))
    corners = (points - (left, top)) * _OVERSAMPLING - 0.5  # Pillow's whole numbers are the centres of pixels
    ImageDraw.Draw(large).polygon([tuple(corner) for corner in corners], fill=255)
    return np.asarray(large.reduce(_OVERSAMPLING), np.float32)[..., None] / 255


def _paint(canvas, mask, points, centre, label, rng):
    """Draws one shape, sometimes with a border or shaded, in a colour that differs from the background."""
    height, width = mask.shape
    left, top = np.maximum(np.floor(points.min(0)).astype(int) - 1, 0)
    right, bottom = np.minimum(np.ceil(points.max(0)).astype(int) + 1, (width, height))
    window = canvas[top:bottom, left:right]
    covered = _coverage(points, left, top, right - left, bottom - top)
    behind = window.mean((0, 1))
    while True:
        colour = rng.uniform(0, 255, 3)
        if np.linalg.norm(colour - behind) > 90:
            break
    fill = np.broadcast_to(colour, window.shape)
    if rng.random() < 0.4:
        fill = fill * np.linspace(rng.uniform(0.7, 1), 1, window.shape[0])[:, None, None]
    if rng.random() < 0.3:
        inner = _coverage(centre + (points - centre) * 0.85, left, top, right - left, bottom - top)
        fill = fill * inner + np.clip(colour + rng.uniform(-90, 90, 3), 0, 255) * (1 - inner)
    window += (fill - window) * covered
    mask[top:bottom, left:right][covered[..., 0] > 0.5] = 1 + label


def draw_scene(rng, width, height, shapes, smallest=22, largest=130):
    """Returns a scene with at most that number of shapes. A shape for which there is no free place is left out."""
    canvas = _background(rng, width, height)
    mask = np.zeros((height, width), np.uint8)
    boxes, classes = [], []
    for _ in range(shapes * 4):
        if len(boxes) == shapes:
            break
        label = int(rng.integers(len(CLASSES)))
        radius = np.exp(rng.uniform(np.log(smallest), np.log(min(largest, width * 0.8, height * 0.8)))) / 2
        points = _outline(CLASSES[label], rng) * radius
        low, high = -points.min(0), np.array([width, height]) - points.max(0)
        centre = rng.uniform(low, np.maximum(high, low + 1e-3))
        points = points + centre
        box = np.concatenate([points.min(0), points.max(0)])
        size = (box[2:] - box[:2]).prod()
        # Shapes overlap only slightly: a shape that is mostly hidden would be labelled but not be recognisable.
        if any(np.clip(np.minimum(box[2:], other[2:]) - np.maximum(box[:2], other[:2]), 0, None).prod()
               > 0.12 * min(size, (other[2:] - other[:2]).prod()) for other in boxes):
            continue
        _paint(canvas, mask, points, centre, label, rng)
        boxes.append(box)
        classes.append(label)
    picture = Image.fromarray(np.clip(canvas + 0.5, 0, 255).astype(np.uint8))
    if rng.random() < 0.3:
        picture = picture.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 1.0)))
    pixels = np.asarray(picture, np.float32)
    pixels = pixels + rng.standard_normal(pixels.shape, np.float32) * np.float32(rng.choice([0, 3, 8]))
    return Scene(np.clip(pixels + 0.5, 0, 255).astype(np.uint8),
                 np.array(boxes, np.float32).reshape(-1, 4), np.array(classes, np.int64), mask)


def framed_scene(rng, size):
    """Returns a scene in a square of that side. A third of the scenes have grey bars like a letterboxed picture."""
    width = height = size
    if rng.random() < 0.35:
        short = int(rng.uniform(0.55, 0.95) * size)
        width, height = (short, size) if rng.random() < 0.5 else (size, short)
    scene = draw_scene(rng, width, height, int(rng.integers(1, 9)))
    left, top = (size - width) // 2, (size - height) // 2
    frame = np.full((size, size, 3), FRAME_GREY, np.uint8)
    mask = np.zeros((size, size), np.uint8)
    frame[top:top + height, left:left + width] = scene.picture
    mask[top:top + height, left:left + width] = scene.mask
    return Scene(frame, scene.boxes + np.array([left, top] * 2, np.float32), scene.classes, mask)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture", help="the file to write")
    parser.add_argument("--seed", type=int, default=5, help="seed of the scene (default: 5)")
    parser.add_argument("--width", type=int, default=640, help="width in pixels (default: 640)")
    parser.add_argument("--height", type=int, default=480, help="height in pixels (default: 480)")
    parser.add_argument("--shapes", type=int, default=10, help="the most shapes (default: 10)")
    arguments = parser.parse_args()
    scene = draw_scene(np.random.default_rng(arguments.seed), arguments.width, arguments.height, arguments.shapes)
    Image.fromarray(scene.picture).save(arguments.picture)
    for label, box in zip(scene.classes, scene.boxes):
        print(CLASSES[label], *(f"{value:.1f}" for value in box))


if __name__ == "__main__":
    main()
