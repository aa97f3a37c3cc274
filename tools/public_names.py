#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What programs rely on, a line each: declarations of the public headers, names of the Python package, options of the commands.

    python3 tools/public_names.py                  prints them; needs doxygen and build/bin/kuiper
    python3 tools/public_names.py --check          compares them with docs/public-names.txt, which holds those of the last release
    python3 tools/public_names.py --record         writes that file, when a release is made

--check prints the lines that are gone and fails if there are any: docs/stability.md tells what has to happen before a line may go.
New lines are no fault.
"""
import argparse
import ast
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORDED = ROOT / "docs/public-names.txt"
DOXYGEN = """
INPUT = include/kuiper_infer
FILE_PATTERNS = *.hpp *.h
USE_MDFILE_AS_MAINPAGE =
EXTRACT_ALL = YES
GENERATE_HTML = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
WARN_AS_ERROR = NO
WARN_LOGFILE = /dev/null
"""


def one_line(*texts):
    return re.sub(r"\s+", " ", " ".join(filter(None, texts))).strip()


def declarations():
    """Public and protected members, functions, types, enumerators and macros of the headers, as doxygen reads them."""
    with tempfile.TemporaryDirectory() as folder:
        settings = (ROOT / "docs/Doxyfile").read_text() + DOXYGEN + f"OUTPUT_DIRECTORY = {folder}\n"
        subprocess.run(["doxygen", "-"], input=settings, text=True, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        for file in sorted(pathlib.Path(folder, "xml").glob("*.xml")):
            for compound in ElementTree.parse(file).getroot().iter("compounddef"):
                yield from lines_of(compound)


def language_of(element):
    return "C" if element.find("location").get("file").endswith("kuiper_c.h") else "C++"


def lines_of(compound):
    if compound.get("kind") in ("class", "struct") and compound.get("prot") != "private":
        bases = [base.text for base in compound.iter("basecompoundref") if base.get("prot") == "public"]
        name = compound.findtext("compoundname") + "".join(f" : {base}" for base in bases)
        yield one_line(language_of(compound), compound.get("kind"), name)
    for member in compound.iter("memberdef"):
        if member.get("prot") == "private" or member.get("kind") == "friend":
            continue
        language = language_of(member)
        if member.get("kind") == "define":
            yield one_line(language, "#define", member.findtext("name"))
        elif member.get("kind") == "enum":
            name = member.findtext("qualifiedname") or member.findtext("name")
            for value in member.iter("enumvalue"):
                yield one_line(language, "enum", name, value.findtext("name"), value.findtext("initializer"))
        else:
            yield one_line(language, member.findtext("definition"), member.findtext("argsstring"))


def python_names():
    """The names of `__all__` with the arguments of functions and public methods, from the package's sources."""
    package = ROOT / "python/kuiper_infer"
    for module in ("", "text", "vision"):
        file = package / module / "__init__.py" if (package / module).is_dir() else package / f"{module}.py"
        yield from exported_names(file, ".".join(filter(None, ("kuiper_infer", module))))


def exported_names(file, module):
    tree = ast.parse(file.read_text())
    sources = {alias.asname or alias.name: (node, alias.name) for node in tree.body if isinstance(node, ast.ImportFrom) and node.level
               for alias in node.names}
    local = definitions(tree)
    lists = [node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"]
    names = ast.literal_eval(lists[0]) if lists else [name for name in local if not name.startswith("_")]
    for name in names:
        found = local.get(name)
        if found is None and name in sources and sources[name][0].module:
            origin, real = sources[name]
            place = file.parents[origin.level - 1] / (origin.module.replace(".", "/") + ".py")
            found = definitions(ast.parse(place.read_text())).get(real) if place.is_file() else None
        yield from described(found, f"{module}.{name}")


def definitions(tree):
    return {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))}


def described(node, name):
    """The lines of a function, or of a class with its public members. What is compiled has its name alone."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield one_line("Python", f"{name}({ast.unparse(node.args)})")
        return
    yield one_line("Python", name)
    for member in node.body if node else ():
        if isinstance(member, ast.AnnAssign) and not member.target.id.startswith("_"):
            yield one_line("Python", f"{name}.{member.target.id}")
        elif isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if not member.name.startswith("_") or member.name in ("__init__", "__call__"):
                yield from described(member, f"{name}.{member.name}")


def options():
    """The commands of `kuiper` and their options."""
    program = ROOT / "build/bin/kuiper"
    helped = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    for command in re.findall(r"^  (\w+) ", helped.split("Subcommands:")[1].split("Examples:")[0], re.M):
        yield f"command {command}"
        text = subprocess.run([program, command, "--help"], capture_output=True, text=True, check=True).stdout
        for option in re.findall(r"^  (?:-\w,)?(--[a-z][a-z0-9-]*)", text, re.M):
            yield f"command {command} {option}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--check", action="store_true")
    action.add_argument("--record", action="store_true")
    args = parser.parse_args()
    names = sorted({*declarations(), *python_names(), *options()})
    if args.record:
        RECORDED.write_text("\n".join(names) + "\n")
    elif args.check:
        gone = [line for line in RECORDED.read_text().splitlines() if line not in set(names)]
        print("\n".join(gone) or f"all of the {len(RECORDED.read_text().splitlines())} recorded names are there")
        sys.exit(bool(gone))
    else:
        print("\n".join(names))


if __name__ == "__main__":
    main()
