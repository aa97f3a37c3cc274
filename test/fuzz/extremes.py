#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes variants of small models in which one or two parameters are taken to the ends of their range.

    extremes.py SEEDS OUT

A mutation at random rarely turns both a stride and a padding into the largest number; these are all such models.
"""

import hashlib
import itertools
import pathlib
import re
import sys

ENDS = ("0", "-1", "65537", "2147483647", "-2147483648", "9223372036854775807", "-9223372036854775808")
PAIRED = ("65537", "2147483647")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
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


def variants(model):
    """The model's text with one parameter changed, or two of one operator at the same end."""
    lines = model.split("\n")
    for at, line in enumerate(lines):
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
    seeds, out = map(pathlib.Path, sys.argv[1:3])
    out.mkdir(parents=True, exist_ok=True)
    for seed in sorted(seeds.iterdir()):
        for text in variants(seed.read_text(encoding="utf-8", errors="replace")):
            data = text.encode()
            (out / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)


if __name__ == "__main__":
    main()
