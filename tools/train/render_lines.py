# SPDX-License-Identifier: MIT
"""Draws pictures of printed lines, spoils them as a camera or a scanner would, and prepares them for the network."""

import functools
import io
import math

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont, features

LINE_HEIGHT = 32  # pixels, what the network reads
NARROWEST = 32  # pixels: a narrower picture is stretched to this width
# Ligatures stay off, because ligatures of programming fonts draw "!=" as one sign. Kerning stays on.
LIGATURES_OFF = ["-calt", "-liga", "-dlig", "-clig"]
LAYOUT = ImageFont.Layout.RAQM if features.check("raqm") else ImageFont.Layout.BASIC


@functools.lru_cache(maxsize=4096)
def _font(path, size):
    return ImageFont.truetype(path, size, layout_engine=LAYOUT)


def draw_line(text, font_path, rng):
    """Returns the ink of the line as an 8-bit picture: 255 where there is ink, 0 where there is none."""
    size = round(math.exp(rng.uniform(math.log(15), math.log(56))))
    font = _font(font_path, size)
    options = {"font": font, "anchor": "ls"}
    if LAYOUT == ImageFont.Layout.RAQM:
        options["features"] = LIGATURES_OFF
    measure = ImageDraw.Draw(Image.new("L", (1, 1)))
    left, top, right, bottom = measure.textbbox((0, 0), text, **options)
    _, capital_top, _, _ = measure.textbbox((0, 0), "H", **options)
    cut = rng.random()
    if cut < 0.55:  # cut by the font's own line box
        top, bottom = min(top, -0.78 * size), max(bottom, 0.22 * size)
    elif cut < 0.9 or len(text) < 6:  # cut by the ink, with the room of a capital letter
        top, bottom = min(top, capital_top), max(bottom, 0)
    margins = [rng.uniform(0.02, 0.55 if rng.random() < 0.7 else 1.2) * size for _ in range(2)]
    margins += [rng.uniform(0.0, 0.12 if rng.random() < 0.7 else 0.35) * size + 1 for _ in range(2)]
    width = math.ceil(right - left + margins[0] + margins[1])
    height = math.ceil(bottom - top + margins[2] + margins[3])
    picture = Image.new("L", (width, height), 0)
    ImageDraw.Draw(picture).text((margins[0] - left, margins[2] - top), text, fill=255, **options)
    return picture


def bend(ink, rng):
    """Rotates by a few degrees, slants and stretches. Long lines are rotated less, so that they still look like a line."""
    if rng.random() < 0.5:
        width, height = ink.size
        steepest = min(3.0, math.degrees(math.atan(0.3 * height / width)))
        ink = ink.rotate(rng.uniform(-steepest, steepest), resample=Image.BILINEAR, expand=rng.random() < 0.8)
    if rng.random() < 0.3:
        shear = rng.uniform(-0.15, 0.15)
        width, height = ink.size
        extra = abs(shear) * height
        ink = ink.transform((math.ceil(width + extra), height), Image.AFFINE,
                            (1, shear, -extra if shear > 0 else 0, 0, 1, 0), resample=Image.BILINEAR)
    if rng.random() < 0.4:
        width, height = ink.size
        ink = ink.resize((max(8, round(width * rng.uniform(0.88, 1.2))), height), Image.BILINEAR)
    return ink


def _background(height, width, noise):
    """Uneven paper: a slope of light and large soft blots, in -1..1."""
    slope = noise.uniform(-1, 1, (2, 2)).astype(np.float32)
    if noise.random() < 0.5:
        slope = noise.uniform(-1, 1, (2, 6)).astype(np.float32)
    return np.asarray(Image.fromarray(slope).resize((width, height), Image.BICUBIC))


def spoil(ink, rng, strength=1.0):
    """Turns ink into a grey picture: colours, blur, paper, noise, coarse sampling and JPEG artefacts."""
    if rng.random() < 0.45 * strength:
        ink = ink.filter(ImageFilter.GaussianBlur(rng.uniform(0.1, 0.034 * ink.height)))
    if rng.random() < 0.15 * strength:  # sampled coarsely and enlarged again
        factor = rng.uniform(18, 28) / ink.height
        if factor < 1:
            coarse = ink.resize((max(8, round(ink.width * factor)), round(ink.height * factor)), Image.BOX)
            ink = coarse.resize(ink.size, Image.BICUBIC)
    noise = np.random.default_rng(rng.getrandbits(32))
    cover = np.asarray(ink, np.float32) / 255.0
    if rng.random() < 0.2:  # fat or starved ink
        cover = cover ** rng.uniform(0.6, 1.6)
    contrast = rng.uniform(70, 255) if rng.random() < 0.5 * strength else rng.uniform(170, 255)
    paper = rng.uniform(contrast, 255)
    if rng.random() < 0.25:  # light on dark
        paper, contrast = 255 - paper, -contrast
    grey = paper - contrast * cover
    if rng.random() < 0.4 * strength:
        grey += _background(*grey.shape, noise) * rng.uniform(0, 0.22) * abs(contrast)
    if rng.random() < 0.45 * strength:
        grey += noise.normal(0, rng.uniform(0, 0.11) * abs(contrast), grey.shape).astype(np.float32)
    if rng.random() < 0.08 * strength:  # salt and pepper
        specks = noise.random(grey.shape) < rng.uniform(0, 0.02)
        grey[specks] = noise.choice((0.0, 255.0), int(specks.sum()))
    picture = Image.fromarray(grey.clip(0, 255).astype(np.uint8))
    if rng.random() < 0.35 * strength:
        stored = io.BytesIO()
        picture.save(stored, "JPEG", quality=rng.randint(30, 92))
        picture = Image.open(stored).convert("L")
    return picture


def to_line_height(picture, resample=Image.BILINEAR):
    """Prepares a picture for the network: light background, 32 pixels high, same proportions. Does not scale the numbers."""
    pixels = np.asarray(picture.convert("L"))
    if pixels.mean() < 128:
        pixels = 255 - pixels
    width = max(NARROWEST, round(picture.width * LINE_HEIGHT / picture.height))
    return Image.fromarray(pixels).resize((width, LINE_HEIGHT), resample)


def to_input(line):
    """Converts pixels (32, W) in 0..255 to the network's numbers (1, 1, 32, W) in -1..1."""
    return (np.asarray(line, np.float32)[None, None] / 255.0 - 0.5) / 0.5


def any_resample(picture, rng):
    """Returns a random resampling filter for a picture, so that the network works with any filter of a program."""
    choices = [Image.BILINEAR, Image.BILINEAR, Image.BICUBIC, Image.HAMMING]
    if picture.height > LINE_HEIGHT:
        choices += [Image.BOX, Image.BOX]  # the area filter
    return rng.choice(choices)


def random_line(fonts, text, rng):
    """Returns a training line: uint8 pixels (32, W), spoilt at random, in a font of a random family."""
    _, paths = rng.choice(fonts)
    picture = spoil(bend(draw_line(text, rng.choice(paths), rng), rng), rng)
    return np.asarray(to_line_height(picture, any_resample(picture, rng)))
