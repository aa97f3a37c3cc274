#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails when an include points upwards: each level may use itself and those before it in LEVELS.

    python3 tools/check_includes.py
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEVELS = ["utils", "kernel", "shape", "data", "parser", "layer", "planning", "runtime", "vision", "api", "cli"]
# The plain structs that describe an operator belong to the runtime's public headers, but layers and plans are made from them.
VOCABULARY = {f"runtime/{name}" for name in (
    "ir.h", "runtime_attr.hpp", "runtime_datatype.hpp", "runtime_op.hpp", "runtime_operand.hpp", "runtime_parameter.hpp")}


def level_of(path):
    return next((part for part in path.split("/") if part in LEVELS), None)


def resolve(file, included):
    """The include as a path below include/kuiper_infer or source, or None for other headers."""
    for base in (file.parent, ROOT / "include" / "kuiper_infer", ROOT / "include", ROOT / "source"):
        target = (base / included).resolve()
        if target.exists():
            for top in (ROOT / "include" / "kuiper_infer", ROOT / "source"):
                if top in target.parents:
                    return target.relative_to(top).as_posix()
    return None


def main():
    faults = []
    files = [f for top in ("include/kuiper_infer", "source") for f in (ROOT / top).rglob("*") if f.suffix in (".hpp", ".cpp", ".h")]
    for file in sorted(files):
        own = level_of(file.relative_to(ROOT).as_posix().replace("include/kuiper_infer/", "").replace("source/", ""))
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = re.match(r'\s*#include\s+"([^"]+)"', line)
            target = match and resolve(file, match.group(1))
            if not own or not target or (target in VOCABULARY and own in ("layer", "planning")):
                continue
            level = level_of(target)
            if level and LEVELS.index(level) > LEVELS.index(own):
                faults.append(f"{file.relative_to(ROOT)}:{number}: level {own} includes {target}")
    print("\n".join(faults) if faults else f"{len(files)} files, all includes point downwards")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
