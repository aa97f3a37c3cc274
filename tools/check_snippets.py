#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails when a document shows code that its file doesn't hold: in docs/add-an-operator.md each code block begins with a comment that
names a file. The other lines of the block have to occur in that file in the same order; `...` stands for lines left out.

    python3 tools/check_snippets.py
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = "docs/add-an-operator.md"


def missing_line(snippet, source):
    """Returns the first line of the snippet that is missing after the lines before it in the source, or None."""
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
