# SPDX-License-Identifier: MIT
"""Encoded pictures as inputs of a model, prepared as ``kuiper run --image`` prepares them."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from .. import ArrayInfo, KuiperError, vision

EXTENSIONS = (".jpeg", ".jpg", ".png")


@dataclass(frozen=True)
class PictureOptions:
    """How a picture becomes an input: the options of `vision.to_input`, which all workers get. Raises ValueError."""

    fit: str = "stretch"
    color: str = "rgb"
    size: tuple[int, int] | None = None
    divisor: float = 255.0
    mean: tuple[float, ...] = (0.0,)
    std: tuple[float, ...] = (1.0,)

    def __post_init__(self) -> None:
        any_input = ArrayInfo("of any model", "float32", (1, -1, -1, -1))
        try:  # what is wrong for any picture is wrong for this one of a pixel
            vision.to_input(np.zeros((1, 1, 3), np.uint8), any_input, **asdict(self))
        except KuiperError as error:
            raise ValueError(str(error)) from None


def read_picture(encoded: bytes, info: ArrayInfo, options: PictureOptions) -> np.ndarray:
    """Returns the picture as that input. Raises ValueError if it cannot be one."""
    try:
        return vision.to_input(vision.read(encoded), info, **asdict(options))
    except KuiperError as error:
        raise ValueError(str(error)) from None
