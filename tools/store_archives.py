#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copies the zip archives of a folder to another one, their entries without compression: for builds without libdeflate.

    python3 tools/store_archives.py FROM TO
"""
import pathlib
import sys
import zipfile


def main():
    source, target = map(pathlib.Path, sys.argv[1:])
    for path in sorted(source.rglob("*.zip")):
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path) as packed, zipfile.ZipFile(copy, "w") as stored:
            for name in packed.namelist():
                stored.writestr(name, packed.read(name))


if __name__ == "__main__":
    main()
