#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exports the line reader through pnnx, and draws the sample pictures and the reference output that go with it.

    export_line_reader.py --checkpoint reader.pt --out tmp --reference test/data/line_reader

Writes line_reader.pnnx.param, .bin and line_reader.alphabet.txt (class 1 is its first character; class 0 is CTC's
blank), three pictures with line_samples.json (their texts), and in0.npy / out0.npy of line_hello.png.
"""

import argparse
import json
import pathlib
import random
import shutil
import tempfile

import numpy as np
import pnnx
import torch
from PIL import Image

from fonts import find_fonts
from line_model import ALPHABET, decode, load
from render_lines import bend, draw_line, spoil, to_input, to_line_height

# name: (text, held-out family, file pattern, seed, strength of the spoiling)
SAMPLES = {
    "line_hello.png": ("Hello, world!", "Gentium Plus", "Regular", 5, 0.0),
    "line_invoice.jpg": ("Invoice #2024-0831: $1,249.50", "Roboto", "Regular", 3, 0.5),
    "line_noisy.png": ("The quick brown fox jumps 42 times", "PT Serif", "PTF55F", 6, 1.5),
}


def export_pnnx(model, folder):
    """Exports for any width: pnnx reads two widths and writes '?' where they differ. Checks a third one."""
    with tempfile.TemporaryDirectory() as scratch:
        trace = str(pathlib.Path(scratch) / "line_reader.pt")
        exported = pnnx.export(model, trace, torch.zeros(1, 1, 32, 256), torch.zeros(1, 1, 32, 384), fp16=False)
        with torch.inference_mode():
            line = torch.rand(1, 1, 32, 203) * 2 - 1
            torch.testing.assert_close(exported(line), model(line), rtol=1e-4, atol=1e-4)
        for suffix in ("param", "bin"):
            shutil.copyfile(f"{trace[:-3]}.pnnx.{suffix}", folder / f"line_reader.pnnx.{suffix}")
    # The alphabet is every class but the blank, in order; its first character is the space.
    (folder / "line_reader.alphabet.txt").write_text(ALPHABET + "\n", encoding="ascii")


def draw_samples(folder):
    """Draws the pictures in held-out fonts, 40 to 90 pixels high."""
    fonts = dict(find_fonts(True))
    texts = {}
    for name, (text, family, pattern, seed, strength) in SAMPLES.items():
        path = next(path for path in fonts[family] if pattern in pathlib.Path(path).stem)
        rng = random.Random(seed)
        while True:
            picture = spoil(bend(draw_line(text, path, rng), rng), rng, strength)
            if 40 <= picture.height <= 90:
                break
        picture.save(folder / name, quality=60) if name.endswith(".jpg") else picture.save(folder / name)
        texts[name] = text
    (folder / "line_samples.json").write_text(json.dumps(texts, indent=2) + "\n", encoding="utf-8")
    return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", required=True, help="the weights' file")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder of the model and the pictures")
    parser.add_argument("--reference", type=pathlib.Path, help="folder of in0.npy and out0.npy (default: not written)")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)

    model = load(arguments.checkpoint).without_batch_norm()
    export_pnnx(model, arguments.out)
    for name, text in draw_samples(arguments.out).items():
        with Image.open(arguments.out / name) as picture, torch.inference_mode():
            line = to_input(to_line_height(picture))
            output = model(torch.from_numpy(line)).numpy()
            read = decode(torch.from_numpy(output[0]))
            print(f"{name}: {picture.width} x {picture.height}, reads {read!r}, {'right' if read == text else 'WRONG'}")
        if arguments.reference and name == "line_hello.png":
            arguments.reference.mkdir(parents=True, exist_ok=True)
            np.save(arguments.reference / "in0.npy", line)
            np.save(arguments.reference / "out0.npy", output)


if __name__ == "__main__":
    main()
