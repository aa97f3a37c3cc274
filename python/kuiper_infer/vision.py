# SPDX-License-Identifier: MIT
"""Pictures as inputs: the library's own preparation, which gives the same bytes as its programs.

A picture is an array of uint8 of the shape (height, width, channels), as in Pillow and OpenCV.

>>> picture = np.full((480, 640, 3), 128, np.uint8)
>>> middle = center_crop(resize_shorter_side(picture, 256), 224, 224)
>>> to_tensor(middle, mean=IMAGENET_MEAN, std=IMAGENET_STD).shape
(1, 3, 224, 224)
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from . import _core
from ._checks import MOST_EXTENT, integer, number, numbers, path, path_bytes, text
from ._core import ColorOrder, Interpolation

if TYPE_CHECKING:
    from ._model import ArrayInfo

IMAGENET_MEAN = (0.485, 0.456, 0.406)
IMAGENET_STD = (0.229, 0.224, 0.225)


Chosen = TypeVar("Chosen", ColorOrder, Interpolation)


def _picture(picture: np.ndarray) -> np.ndarray:
    """Returns the picture as a contiguous array that has an axis for its channels."""
    array = np.asarray(picture)
    if array.dtype != np.uint8 or array.ndim not in (2, 3):
        raise TypeError(f"a picture is {array.dtype}{list(array.shape)}, expected uint8 (height, width[, channels])")
    return np.ascontiguousarray(array if array.ndim == 3 else array[:, :, None])


def _extent(name: str, value: int) -> int:
    return integer(name, value, -MOST_EXTENT, MOST_EXTENT)


def _one_of(kind: type[Chosen], value: Chosen) -> Chosen:
    if not isinstance(value, kind):
        raise TypeError(f"found {value!r}, expected one of {kind.__name__}")
    return value


def read(source: str | os.PathLike[str] | bytes) -> np.ndarray:
    """Reads a PNG or JPEG file, or its contents, as RGB, and turns it upright if its camera noted so (EXIF)."""
    if isinstance(source, bytes):
        return _core.decode_picture(source, "picture")
    return _core.read_picture(path_bytes("source", path("source", source)))


def resize(
    picture: np.ndarray, height: int, width: int, interpolation: Interpolation = Interpolation.ANTIALIAS
) -> np.ndarray:
    """Returns the picture resized to `height` x `width`."""
    size = _extent("height", height), _extent("width", width)
    return _core.resize(_picture(picture), size[0], size[1], _one_of(Interpolation, interpolation))


def resize_shorter_side(
    picture: np.ndarray, size: int, interpolation: Interpolation = Interpolation.ANTIALIAS
) -> np.ndarray:
    """Resizes a picture: its shorter side to `size`, the other side in proportion, as torchvision's `Resize(size)`."""
    return _core.resize_shorter_side(_picture(picture), _extent("size", size), _one_of(Interpolation, interpolation))


def crop(picture: np.ndarray, top: int, left: int, height: int, width: int) -> np.ndarray:
    """Returns a rectangle of the picture. It must lie inside the picture."""
    corner = _extent("top", top), _extent("left", left)
    return _core.crop(_picture(picture), *corner, _extent("height", height), _extent("width", width))


def center_crop(picture: np.ndarray, height: int, width: int) -> np.ndarray:
    """Returns the middle of the picture, as torchvision's `CenterCrop`. A smaller picture gets a black border."""
    return _core.center_crop(_picture(picture), _extent("height", height), _extent("width", width))


class Letterboxed(NamedTuple):
    """A picture in a frame. The frame's point (x, y) is ((x - left) / scale, (y - top) / scale) of the picture."""

    picture: np.ndarray
    scale: float
    left: int
    top: int


def letterbox(
    picture: np.ndarray,
    height: int,
    width: int,
    filling: int = 114,
    interpolation: Interpolation = Interpolation.BILINEAR,
) -> Letterboxed:
    """Puts the picture into the middle of a grey frame, as large as fits in proportion, as YOLO's detectors expect."""
    frame = _extent("height", height), _extent("width", width), integer("filling", filling, 0, 255)
    return Letterboxed(*_core.letterbox(_picture(picture), *frame, _one_of(Interpolation, interpolation)))


def to_tensor(
    picture: np.ndarray,
    *,
    source: ColorOrder = ColorOrder.RGB,
    target: ColorOrder = ColorOrder.RGB,
    divisor: float = 255,
    mean: tuple[float, float, float] = (0, 0, 0),
    std: tuple[float, float, float] = (1, 1, 1),
) -> np.ndarray:
    """Returns the picture as float32 (1, channels, height, width): (byte / divisor - mean[c]) / std[c] in channel c.

    `source` is the order of the picture's channels, `target` that of the model's. The defaults are those of
    torchvision's `ToTensor`.
    """
    orders = _one_of(ColorOrder, source), _one_of(ColorOrder, target)
    means, deviations = numbers("mean", mean, 3), numbers("std", std, 3)
    return _core.to_tensor(_picture(picture), *orders, number("divisor", divisor), means, deviations)


def to_input(
    picture: np.ndarray,
    info: ArrayInfo,
    *,
    fit: str = "stretch",
    color: str = "rgb",
    size: tuple[int, int] | None = None,
    divisor: float = 255,
    mean: Sequence[float] = (0,),
    std: Sequence[float] = (1,),
) -> np.ndarray:
    """Prepares an RGB picture for the input that `info` describes (one of `Model.inputs`), like `kuiper run --image`.

    Args:
        fit: "stretch" to the input's size, "crop" the middle of a larger picture, or "letterbox".
        color: the channels that the model expects: "rgb", "bgr" or "gray".
        size: height and width, if the model leaves them free; by default in proportion, or the picture's own size.
        divisor, mean, std: (byte / divisor - mean) / std; one number for all channels, or one for each.
    """
    wanted = [_extent("size", extent) for extent in size or ()]
    expected = info.name, info.dtype or "", info.shape or ()
    wishes = text("fit", fit), text("color", color), wanted
    scaling = number("divisor", divisor), numbers("mean", mean), numbers("std", std)
    return _core.picture_as_input(_picture(picture), *expected, *wishes, *scaling)
