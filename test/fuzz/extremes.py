#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes variants of small models: one or two parameters at the ends of their range, an input or weight of another shape
or type.

    extremes.py SEEDS OUT COUNT [RANDOM_SEED]

A mutation at random rarely turns both a stride and a padding into the largest number. These are all such models, or a
random choice of COUNT of them.
"""

import hashlib
import itertools
import pathlib
import random
import re
import sys

ENDS = ("0", "-1", "65537", "2147483647", "-2147483648", "9223372036854775807", "-9223372036854775808")
PAIRED = ("65537", "2147483647")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
SHAPE = re.compile(r"(?<= )([@#])(\w+)=\(([^)]*)\)(\w+)")
TYPES = ("f32", "f64", "f16", "i64", "u8", "bool", "c64")
PARAMETER = re.compile(r"(?<= )(?![@$#])([A-Za-z_]\w*)=(\S+)")


def values(key, text):
    """Other values for the parameter: each number, all numbers, other kinds."""
    numbers = list(NUMBER.finditer(text)) if key != "expr" else [m for m in NUMBER.finditer(text) if text[m.start() - 1] != "@"]
    for end in ENDS:
        for number in numbers:
            yield text[: number.start()] + end + text[number.end() :]
        if len(numbers) > 1 and key != "expr":
            yield NUMBER.sub(end, text)
    if key != "expr":
        yield from ("None", "True", "False", "()", "(1,1,1,1,1,1,1)", "1.5", "nan", "word")


def shapes(extents):
    """Other shapes: an extent changed, an axis more or less."""
    for axis in range(len(extents)):
        for other in ("0", "1", "?", "3"):
            yield [*extents[:axis], other, *extents[axis + 1 :]]
        yield [*extents[:axis], *extents[axis + 1 :]]
    yield ["0"] * len(extents)
    yield ["2", *extents]


def variants(model):
    """The model's text with one parameter changed, or two of one operator at the same end, or one shape or type."""
    lines = model.split("\n")
    for at, line in enumerate(lines):
        for found in SHAPE.finditer(line):
            if found[1] == "#" and not line.startswith("pnnx.Input"):
                continue
            extents = found[3].split(",") if found[3] else []
            others = [(shape, found[4]) for shape in shapes(extents)] + [(extents, name) for name in TYPES]
            for shape, name in others:
                changed = f"{line[: found.start()]}{found[1]}{found[2]}=({','.join(shape)}){name}{line[found.end() :]}"
                yield "\n".join([*lines[:at], changed, *lines[at + 1 :]])
        parameters = list(PARAMETER.finditer(line))
        for found in parameters:
            for value in values(found[1], found[2]):
                changed = line[: found.start(2)] + value + line[found.end(2) :]
                yield "\n".join([*lines[:at], changed, *lines[at + 1 :]])
            if found[1] != "expr":
                dropped = line[: found.start()] + line[found.end() :]
                yield "\n".join([*lines[:at], dropped, *lines[at + 1 :]])
        numeric = [p for p in parameters if p[1] != "expr" and NUMBER.search(p[2])]
        for (first, second), end in itertools.product(itertools.combinations(numeric, 2), PAIRED):
            changed = (line[: first.start(2)] + NUMBER.sub(end, first[2]) + line[first.end(2) : second.start(2)]
                       + NUMBER.sub(end, second[2]) + line[second.end(2) :])
            yield "\n".join([*lines[:at], changed, *lines[at + 1 :]])


def main():
    seeds, out, most = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
    texts = {}
    for seed in sorted(seeds.iterdir()):
        for text in variants(seed.read_text(encoding="utf-8", errors="replace")):
            data = text.encode()
            texts[hashlib.sha1(data).hexdigest()[:16]] = data
    number = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 32)
    chosen = random.Random(number).sample(sorted(texts), min(most, len(texts)))
    out.mkdir(parents=True, exist_ok=True)
    for name in chosen:
        (out / name).write_bytes(texts[name])
    print(f"{len(chosen)} of {len(texts)} variants, random seed {number}")


if __name__ == "__main__":
    main()
