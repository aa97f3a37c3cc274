# SPDX-License-Identifier: MIT
"""Encoded pictures as inputs of a model, prepared as ``kuiper run --image`` prepares them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import ArrayInfo, KuiperError, vision

EXTENSIONS = (".jpeg", ".jpg", ".png")


@dataclass(frozen=True)
class PictureOptions:
    """How a picture becomes an input: its fit to the input's size, then (byte / divisor - mean) / std by channel."""

    fit: str = "stretch"  #: or "crop", the middle of a larger one, or "letterbox"
    color: str = "rgb"  #: or "bgr", "gray": the channels that the model expects
    size: tuple[int, int] | None = None  #: height and width where the model leaves them free
    divisor: float = 255.0
    mean: tuple[float, ...] = (0.0,)  #: one number for each channel, or one for all
    std: tuple[float, ...] = (1.0,)

    def __post_init__(self) -> None:
        for name, allowed in (("fit", ("stretch", "crop", "letterbox")), ("color", ("rgb", "bgr", "gray"))):
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} is '{getattr(self, name)}', expected one of {allowed}")
        channels = 1 if self.color == "gray" else 3
        for name in ("mean", "std"):
            if len(getattr(self, name)) not in (1, channels):
                raise ValueError(f"{name} has {len(getattr(self, name))} numbers, expected 1 or {channels}")


def read_picture(encoded: bytes, info: ArrayInfo, options: PictureOptions) -> np.ndarray:
    """The picture as float32 (channels, height, width) for that input. Raises ValueError where it cannot be one."""
    shape = info.shape or ()
    if len(shape) != 4 or info.dtype != "float32":
        raise ValueError(f"input '{info.name}' is {info.dtype}{list(shape)}, expected float32 (1,C,H,W) for pictures")
    try:
        picture = vision.read(encoded)
        height, width = _target_size(picture, shape, options)
        tensor = vision.to_tensor(
            _fit(picture, options.fit, height, width),
            target=vision.ColorOrder[options.color.upper()],
            divisor=options.divisor,
            mean=_for_channels(options.mean),
            std=_for_channels(options.std),
        )
    except KuiperError as error:
        raise ValueError(str(error)) from None
    return tensor[0]


def _target_size(picture: np.ndarray, shape: tuple[int, ...], options: PictureOptions) -> tuple[int, int]:
    asked = options.size or picture.shape[:2]
    height, width = (own if own >= 0 else free for own, free in zip(shape[2:], asked, strict=True))
    return height, width


def _fit(picture: np.ndarray, fit: str, height: int, width: int) -> np.ndarray:
    if fit == "stretch":
        return vision.resize(picture, height, width)
    if fit == "letterbox":
        return vision.letterbox(picture, height, width).picture
    # A square of 224 is the middle of a picture whose shorter side is 256.
    covering = max(height / picture.shape[0], width / picture.shape[1])
    side = round(min(picture.shape[:2]) * covering * 256 / 224)
    return vision.center_crop(vision.resize_shorter_side(picture, side), height, width)


def _for_channels(numbers: tuple[float, ...]) -> tuple[float, float, float]:
    first, second, third = numbers if len(numbers) == 3 else numbers[:1] * 3
    return first, second, third
