# SPDX-License-Identifier: MIT
"""Reads a picture of one printed line.

python demos/python/read_line.py tmp/line_hello.png [--model tmp/line_reader]
"""

import argparse

import numpy as np
from kuiper_infer import KuiperError, Model, vision

HEIGHT = 32


def prepare(picture: np.ndarray) -> np.ndarray:
    """Returns the picture as (1,1,32,width): grey, dark on light, 32 pixels high, values from -1 to 1."""
    if picture.mean() < 128:
        picture = 255 - picture
    width = max(HEIGHT, round(picture.shape[1] * HEIGHT / picture.shape[0]))
    line = vision.resize(picture, HEIGHT, width)
    half = (0.5, 0.5, 0.5)
    return vision.to_tensor(line, target=vision.ColorOrder.GRAY, mean=half, std=half)


def decode(log_probabilities: np.ndarray, alphabet: str) -> str:
    """Returns the likeliest label of each column, without repeats and blanks (label 0)."""
    labels = log_probabilities[0].argmax(-1)
    kept = labels[np.append(True, labels[1:] != labels[:-1])]
    return "".join(alphabet[label - 1] for label in kept if label != 0)


def main() -> None:
    parser = argparse.ArgumentParser(description="Reads a picture of one printed line of text.")
    parser.add_argument("picture", help="a PNG or JPEG file")
    parser.add_argument("--model", default="tmp/line_reader", help="the model's files without .pnnx.param, .pnnx.bin and .alphabet.txt")
    args = parser.parse_args()
    try:
        model = Model(args.model + ".pnnx.param")
        with open(args.model + ".alphabet.txt", encoding="utf-8") as file:
            alphabet = file.readline().rstrip("\n")
        print(decode(model(prepare(vision.read(args.picture))), alphabet))
    except (KuiperError, OSError) as error:
        parser.exit(1, f"error: {error}\n")


if __name__ == "__main__":
    main()
