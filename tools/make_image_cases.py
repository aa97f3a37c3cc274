#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes test/vision/cases.zip: pictures, and the results of torchvision, Pillow and OpenCV for them.

    python3 tools/make_image_cases.py          (needs torchvision, pillow, opencv-python-headless and numpy)

index.txt in the archive has a line for each case: name, picture, operation, numbers. Each name and each picture is an
entry NAME.npy.
"""
import io
import pathlib
import zipfile

import cv2
import numpy as np
from PIL import Image
from torchvision import transforms

ROOT = pathlib.Path(__file__).resolve().parent.parent
NORMALIZE = transforms.Compose([transforms.ToTensor(), transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])])


def letterbox(picture, height, width):
    """Letterboxes as the YOLO family's tools do, except that the smaller half of an uneven border always comes first."""
    scale = min(height / picture.shape[0], width / picture.shape[1])
    rows, columns = round(picture.shape[0] * scale), round(picture.shape[1] * scale)
    if (rows, columns) != picture.shape[:2]:
        picture = cv2.resize(picture, (columns, rows), interpolation=cv2.INTER_LINEAR)
    dh, dw = (height - rows) / 2, (width - columns) / 2
    return cv2.copyMakeBorder(picture, round(dh - 0.1), round(dh + 0.1), round(dw - 0.1), round(dw + 0.1),
                              cv2.BORDER_CONSTANT, value=(114, 114, 114))


OPERATIONS = {
    "antialias": lambda p, h, w: np.asarray(transforms.Resize((h, w))(Image.fromarray(p))),
    "shorter": lambda p, s: np.asarray(transforms.Resize(s)(Image.fromarray(p))),
    "center": lambda p, h, w: np.asarray(transforms.CenterCrop((h, w))(Image.fromarray(p))),
    "bilinear": lambda p, h, w: cv2.resize(p, (w, h), interpolation=cv2.INTER_LINEAR),
    "nearest": lambda p, h, w: np.asarray(Image.fromarray(p).resize((w, h), Image.NEAREST)),
    "letterbox": letterbox,
    "tensor": lambda p: transforms.ToTensor()(Image.fromarray(p)).numpy()[None],
    "normalized": lambda p: NORMALIZE(Image.fromarray(p)).numpy()[None],
    "grey": lambda p: transforms.ToTensor()(Image.fromarray(p).convert("L")).numpy()[None],
    "imagenet": lambda p, s, c: NORMALIZE(transforms.CenterCrop(c)(transforms.Resize(s)(Image.fromarray(p)))).numpy()[None],
}
CASES = [
    ("antialias", [(20, 31), (48, 80), (97, 40), (30, 131), (150, 200), (1, 1), (96, 130)]),
    ("shorter", [(50,), (64,), (111,)]),
    ("center", [(50, 51), (33, 64), (120, 100), (97, 131), (10, 140)]),
    ("bilinear", [(41, 60), (200, 333), (97, 50), (1, 7), (130, 131)]),
    ("nearest", [(41, 60), (200, 300), (5, 5)]),
    ("letterbox", [(64, 64), (160, 128), (97, 140), (31, 90)]),
    ("tensor", [()]),
    ("normalized", [()]),
    ("grey", [()]),
    ("imagenet", [(64, 56)]),
]


def main():
    rng = np.random.default_rng(7)
    photo = np.asarray(Image.open(ROOT / "tmp/models/chelsea.png").convert("RGB"))[60:157, 120:251]
    pictures = {"photo": photo, "noise": rng.integers(0, 256, (33, 58, 3), dtype=np.uint8)}
    index = []
    with zipfile.ZipFile(ROOT / "test/vision/cases.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        def write(name, array):
            stream = io.BytesIO()
            np.save(stream, np.ascontiguousarray(array))
            archive.writestr(zipfile.ZipInfo(name + ".npy"), stream.getvalue(), zipfile.ZIP_DEFLATED)

        for name, picture in pictures.items():
            write(name, picture)
        for operation, arguments in CASES:
            for numbers in arguments:
                for picture in pictures:
                    if max(numbers, default=132) > 131 and picture == "photo":
                        continue  # keeps the archive small
                    name = "_".join([picture, operation, *map(str, numbers)])
                    write(name, OPERATIONS[operation](pictures[picture], *numbers))
                    index.append(" ".join([name, picture, operation, *map(str, numbers)]))
        archive.writestr(zipfile.ZipInfo("index.txt"), "\n".join(index) + "\n")
    print(len(index), "cases")


if __name__ == "__main__":
    main()
