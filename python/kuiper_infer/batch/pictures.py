# SPDX-License-Identifier: MIT
"""Encoded pictures as inputs of a model, prepared as `kuiper run --image` prepares them."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageOps

from .. import ArrayInfo

_GREY = (114, 114, 114)  # the frame around a letterboxed picture, as the YOLO family expects it


@dataclass(frozen=True)
class PictureOptions:
    """How a picture becomes an input: its fit to the input's size, then (byte / divisor - mean) / std by channel."""

    fit: str = "stretch"  # or "crop", the middle of a larger one, or "letterbox"
    color: str = "rgb"  # or "bgr", "gray": the channels that the model expects
    size: tuple[int, int] | None = None  # height and width where the model leaves them free
    divisor: float = 255.0
    mean: tuple[float, ...] = (0.0,)
    std: tuple[float, ...] = (1.0,)


def read_picture(encoded: bytes, info: ArrayInfo, options: PictureOptions) -> np.ndarray:
    """The picture as float32 (channels, height, width) for that input. Raises ValueError where it is no picture."""
    if len(info.shape) != 4 or info.dtype != "float32":
        raise ValueError(f"input '{info.name}': expected float32 (batch, channels, height, width) for pictures")
    try:
        with Image.open(io.BytesIO(encoded)) as image:
            picture = ImageOps.exif_transpose(image).convert("L" if options.color == "gray" else "RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ValueError(f"input '{info.name}': not a readable picture: {error}") from None
    height, width = _target_size(picture, info, options)
    pixels = np.asarray(_fit(picture, options.fit, height, width), np.float32)
    pixels = pixels[..., None] if pixels.ndim == 2 else pixels
    if options.color == "bgr":
        pixels = pixels[..., ::-1]
    pixels = (pixels / np.float32(options.divisor) - np.float32(options.mean)) / np.float32(options.std)
    return np.ascontiguousarray(pixels.transpose(2, 0, 1), np.float32)


def _target_size(picture: Image.Image, info: ArrayInfo, options: PictureOptions) -> tuple[int, int]:
    height, width = info.shape[-2:]
    if options.size:
        height = options.size[0] if height < 0 else height
        width = options.size[1] if width < 0 else width
    return (picture.height if height < 0 else height), (picture.width if width < 0 else width)


def _fit(picture: Image.Image, fit: str, height: int, width: int) -> Image.Image:
    size = (width, height)
    if fit == "stretch":
        return picture.resize(size, Image.Resampling.BILINEAR)
    if fit == "letterbox":
        color = _GREY if picture.mode == "RGB" else _GREY[0]
        return ImageOps.pad(picture, size, Image.Resampling.BILINEAR, color)
    # A square of 224 is the middle of a picture whose shorter side is 256.
    scale = max(height / picture.height, width / picture.width) * 256 / 224
    larger = picture.resize(
        (max(1, round(picture.width * scale)), max(1, round(picture.height * scale))), Image.Resampling.BILINEAR
    )
    left, top = (larger.width - width) // 2, (larger.height - height) // 2
    return larger.crop((left, top, left + width, top + height))
