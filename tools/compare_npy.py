#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if two .npy files of float32 arrays differ by more than a bound, relative to max(1, |value|). Needs no NumPy.

    python3 tools/compare_npy.py BOUND ONE.npy OTHER.npy
"""
import array
import pathlib
import sys


def read(path):
    """Returns the header of a file of format version 1, and the elements."""
    content = pathlib.Path(path).read_bytes()
    start = 10 + int.from_bytes(content[8:10], "little")
    header = content[10:start].decode()
    if not content.startswith(b"\x93NUMPY\x01") or "'<f4'" not in header:
        sys.exit(f"{path}: not an array of float32")
    return header, array.array("f", content[start:])


def main():
    bound, one, other = float(sys.argv[1]), *sys.argv[2:]
    (header, left), (other_header, right) = read(one), read(other)
    if header != other_header:
        sys.exit(f"{one} is {header}, {other} is {other_header}")
    worst = max((abs(a - b) / max(1, abs(b)) for a, b in zip(left, right)), default=0)
    if not worst <= bound:
        sys.exit(f"{one} and {other} differ by {worst:.3g}, at most {bound:.3g} is expected")


if __name__ == "__main__":
    main()
