#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes variants of small models: one or two parameters at the limits of their range, an input or weight of another shape
or type, extents of 0 and 1 in all inputs at once, an operand or weight too few, too many, or of another kind.

    extremes.py SEEDS OUT COUNT [RANDOM_SEED]

A random mutation rarely turns both a stride and a padding into the largest number. The script writes all of these models, or
a random choice of COUNT.
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
SHAPE = re.compile(r"(?<= )([@#])([\w.]+)=\(([^)]*)\)(\w+)")
TYPES = ("f32", "f64", "f16", "i64", "u8", "i8", "bool", "c64")
PARAMETER = re.compile(r"(?<= )(?![@$#])([A-Za-z_]\w*)=(\S+)")


def values(key, text):
    """Returns other values for the parameter: each number, all numbers, other kinds."""
    numbers = list(NUMBER.finditer(text)) if key != "expr" else [m for m in NUMBER.finditer(text) if text[m.start() - 1] != "@"]
    for end in ENDS:
        for number in numbers:
            yield text[: number.start()] + end + text[number.end() :]
        if len(numbers) > 1 and key != "expr":
            yield NUMBER.sub(end, text)
    if key != "expr":
        yield from ("None", "True", "False", "()", "(1,1,1,1,1,1,1)", "1.5", "nan", "inf", "1e-45", "word")


def shapes(extents):
    """Returns other shapes: an extent changed, an axis more or less."""
    for axis in range(len(extents)):
        for other in ("0", "1", "?", "3"):
            yield [*extents[:axis], other, *extents[axis + 1 :]]
        yield [*extents[:axis], *extents[axis + 1 :]]
    yield ["0"] * len(extents)
    yield ["2", *extents]


def write(head, inputs, outputs, entries):
    """Returns a line of an operator without the entries of operands that it no longer has."""
    left = set(inputs + outputs)
    kept = [entry for entry in entries if not (entry[0] == "$" and entry.split("=")[1] not in left)
            and not (entry[0] == "#" and entry[1:].split("=")[0] not in left)]
    return " ".join([*head, str(len(inputs)), str(len(outputs)), *inputs, *outputs, *kept])


def structures(line, known):
    """Returns lists of lines that replace an operator's: an operand or entry less, more, or of another kind; `known` is an operand
    that an earlier line makes."""
    words = line.split()
    if len(words) < 4 or not words[2].isdigit() or not words[3].isdigit():
        return
    reads, writes = int(words[2]), int(words[3])
    if reads + writes > len(words) - 4:
        return
    head, inputs, outputs = words[:2], words[4 : 4 + reads], words[4 + reads : 4 + reads + writes]
    entries = words[4 + reads + writes :]
    others = ("prim::Constant other 0 1 other value=None", "pnnx.Expression other 0 1 other expr=2",
              "pnnx.Expression other 0 1 other expr=[1,2]", f"prim::ListConstruct other 2 1 {known} {known} other",
              "prim::TupleConstruct other 0 1 other")
    for i in range(reads):
        yield [write(head, inputs[:i] + inputs[i + 1 :], outputs, entries)]
        for other in others:
            renamed = [entry.split("=")[0] + "=other" if entry[0] == "$" and entry.split("=")[1] == inputs[i] else entry
                       for entry in entries]
            yield [other, write(head, inputs[:i] + ["other"] + inputs[i + 1 :], outputs, renamed)]
        yield [write(head, inputs[:i] + [known] + inputs[i + 1 :], outputs, entries)]
    if known:
        yield [write(head, inputs + [known], outputs, entries)]
    yield [write(head, inputs, outputs + ["more"], entries)]
    for k in range(writes):
        yield [write(head, inputs, outputs[:k] + outputs[k + 1 :], entries)]
    for k, entry in enumerate(entries):
        if entry[0] in "@$#":
            yield [write(head, inputs, outputs, entries[:k] + entries[k + 1 :])]
            yield [write(head, inputs, outputs, entries[:k] + [entry[0] + "x" + entry[1:]] + entries[k + 1 :])]


def joint(lines):
    """Returns the model with 0 or 1 in all its inputs at once: along an axis counted from the front or from the back, and at
    all places of an extent."""
    found = {at: SHAPE.search(line) for at, line in enumerate(lines) if line.startswith("pnnx.Input")}
    inputs = {at: (shape, shape[3].split(",") if shape[3] else []) for at, shape in found.items() if shape}
    most = max((len(extents) for _, extents in inputs.values()), default=0)
    known = {extent for _, extents in inputs.values() for extent in extents}
    places = [lambda extents, axis, at=at: axis == at for at in range(most)]
    places += [lambda extents, axis, at=at: axis - len(extents) == -at - 1 for at in range(most)]
    places += [lambda extents, axis, extent=extent: extents[axis] == extent for extent in sorted(known)]
    for small, stands in itertools.product("01", places):
        changed = list(lines)
        for at, (shape, extents) in inputs.items():
            others = [small if stands(extents, axis) else extent for axis, extent in enumerate(extents)]
            line = lines[at]
            changed[at] = f"{line[: shape.start(3)]}{','.join(others)}{line[shape.end(3) :]}"
        yield "\n".join(changed)


def variants(model):
    """Returns the model's text with one parameter changed, two parameters of an operator at the same limit, another shape or
    type, or an operator with other operands."""
    lines = model.split("\n")
    yield from joint(lines)
    known = ""
    for at, line in enumerate(lines):
        for changed in structures(line, known):
            counts = lines[1].split()
            if len(counts) == 2 and counts[0].isdigit():
                start = [lines[0], f"{int(counts[0]) + len(changed) - 1} {counts[1]}"]
                yield "\n".join([*start, *lines[2:at], *changed, *lines[at + 1 :]])
        if line.startswith("pnnx.Input") and len(line.split()) > 4:
            known = known or line.split()[4]
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
