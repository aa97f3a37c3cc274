#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the structure of the sources. Fails if one of these rules is broken:

* An include does not point upwards: each level may use itself and the levels before it in LEVELS.
* Families of operators, or of kernels, do not include each other in a circle. What several families share belongs to
  operation/ or another level below.
* A folder of operators, of their kernels, tests or cases has the name of a family (families.py), and a file there adds
  its operators by a function that is named after the file.
* No file includes <fstream>: utils/system/file.hpp opens users' files.
* A folder of sources holds at most MOST_FILES files, so that a reader can take in what it holds.

    python3 tools/check_includes.py
"""
import collections
import pathlib
import re
import sys

from families import FAMILIES

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEVELS = ["utils", "shape", "kernel", "data", "parser", "operation", "operators", "layer", "planning", "runtime",
          "quantization", "vision", "api", "text", "cli"]
# Plain structs that describe an operator. They are public headers of the runtime, but operations, layers and plans read them.
VOCABULARY = {f"runtime/{name}" for name in (
    "ir.h", "runtime_attr.hpp", "runtime_datatype.hpp", "runtime_op.hpp", "runtime_operand.hpp", "runtime_parameter.hpp")}
# These files may use std::ifstream: they read files of the system, at paths that no user gives.
SYSTEM_FILES = {f"source/{name}" for name in (
    "cli/machine.cpp", "runtime/library_identity.cpp", "utils/system/processor_times.cpp", "utils/threads/thread_count.cpp")}
MOST_FILES = 45  # of one folder


def level_of(path):
    return next((part for part in path.split("/") if part in LEVELS), None)


def resolve(file, included):
    """Returns the include as a path below include/kuiper_infer or source, or None for other headers."""
    for base in (file.parent, ROOT / "include" / "kuiper_infer", ROOT / "include", ROOT / "source"):
        target = (base / included).resolve()
        if target.exists():
            for top in (ROOT / "include" / "kuiper_infer", ROOT / "source"):
                if top in target.parents:
                    return target.relative_to(top).as_posix()
    return None


def family_faults():
    for top in ("source/kernel", "source/operators", "test/kernel", "tools/op_cases", "test/data/op_cases"):
        for folder in (ROOT / top).iterdir():
            name = folder.name
            if folder.is_dir() and name not in FAMILIES and name != "__pycache__" and (name != "graphs" or "op_cases" not in top):
                yield f"{top}/{name}: not a family of tools/families.py"
    listed = (ROOT / "source/operators/CMakeLists.txt").read_text()
    for file in sorted((ROOT / "source/operators").rglob("*/*.cpp")):
        expected = "Register" + "".join(word.capitalize() for word in file.stem.split("_"))
        for function in re.findall(r"^void (Register\w+)\(OperationTable&", file.read_text(), re.M):
            if function != expected or not re.search(rf"^    {file.parent.name}/{file.stem}\)?$", listed, re.M):
                yield f"{file.relative_to(ROOT)}: {function}, expected {expected} and a line in source/operators/CMakeLists.txt"


def family_includes(files):
    """Returns, for each level and each family, the families that it includes, with one place of each include."""
    includes = {level: {} for level in ("kernel", "operators")}
    for file in files:
        level, family, *rest = file.relative_to(ROOT / "source").parts if ROOT / "source" in file.parents else ("", "")
        if level not in includes or not rest:
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = re.match(rf'\s*#include\s+"{level}/(\w+)/', line)
            if match and match.group(1) != family:
                place = f"{file.relative_to(ROOT)}:{number}"
                includes[level].setdefault(family, {}).setdefault(match.group(1), place)
    return includes


def circle_from(graph, family):
    """Returns the shortest circle of includes from a family back to itself, or None."""
    ways = [[family]]
    for way in ways:  # the loop appends to it
        for target in sorted(graph.get(way[-1], {})):
            if target == family:
                return [*way, family]
            if not any(target in known for known in ways):
                ways.append([*way, target])
    return None


def circle_faults(includes):
    """Returns one message for each circle of families."""
    reported = set()
    for level, graph in includes.items():
        for family in sorted(graph):
            circle = circle_from(graph, family)
            if circle and frozenset(circle) not in reported:
                reported.add(frozenset(circle))
                places = ", ".join(graph[a][b] for a, b in zip(circle, circle[1:], strict=False))
                yield f"families of {level} include each other in a circle, {' -> '.join(circle)}: {places}"


def folder_faults(files):
    for folder, count in sorted(collections.Counter(file.parent for file in files).items()):
        if count > MOST_FILES:
            yield f"{folder.relative_to(ROOT)}: {count} files, expected at most {MOST_FILES}: some belong to a folder of their own"


def main():
    faults = [*family_faults()]
    files = [f for top in ("include/kuiper_infer", "source") for f in (ROOT / top).rglob("*") if f.suffix in (".hpp", ".cpp", ".h")]
    faults += circle_faults(family_includes(sorted(files)))
    faults += folder_faults(files)
    for file in sorted(files):
        own = level_of(file.relative_to(ROOT).as_posix().replace("include/kuiper_infer/", "").replace("source/", ""))
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if "<fstream>" in line and file.relative_to(ROOT).as_posix() not in SYSTEM_FILES:
                faults.append(f"{file.relative_to(ROOT)}:{number}: includes <fstream>, expected data/byte_source.hpp, "
                              "data/text_lines.hpp or data/file_writer.hpp")
            match = re.match(r'\s*#include\s+"([^"]+)"', line)
            target = match and resolve(file, match.group(1))
            if not own or not target or (target in VOCABULARY and own in ("operation", "layer", "planning")):
                continue
            level = level_of(target)
            if level and LEVELS.index(level) > LEVELS.index(own):
                faults.append(f"{file.relative_to(ROOT)}:{number}: level {own} includes {target}")
    print("\n".join(faults) if faults else f"{len(files)} files, all includes point downwards")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
