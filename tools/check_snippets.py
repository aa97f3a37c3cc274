#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails when a document shows code that its file doesn't hold: in docs/add-an-operator.md each code block begins with a comment that
names a file, and its other lines (... stands for some left out) have to occur there in this order.

    python3 tools/check_snippets.py
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = "docs/add-an-operator.md"


def missing_line(snippet, source):
    """The first line of the snippet that does not follow the ones before it in the source; None when all do."""
    lines = iter(line.strip() for line in source.splitlines())
    return next((line for line in map(str.strip, snippet.splitlines())
                 if line not in ("", "...") and line not in lines), None)


def main():
    blocks = re.findall(r"^```\w+\n(?://|#) (\S+)\n(.*?)^```$", (ROOT / DOCUMENT).read_text(), re.S | re.M)
    if not blocks:
        sys.exit(f"{DOCUMENT}: no code was found")
    for name, snippet in blocks:
        line = missing_line(snippet, (ROOT / name).read_text())
        if line is not None:
            sys.exit(f"{DOCUMENT}: {name} has no line '{line}' there")
    print(f"{DOCUMENT}: {len(blocks)} pieces of code are as in the tree")


if __name__ == "__main__":
    main()
