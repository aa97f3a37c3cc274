#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails when a comment or a document mentions something that the tree doesn't have: a file or folder, a type or function, or an
option of a command line. Names are taken from comments, docstrings and Markdown; they exist if the code (without its comments)
contains them. It also fails when a link of a document leads to no file or to no heading.

    python3 tools/check_references.py
"""
import fnmatch
import pathlib
import re
import subprocess
import sys

from foreign_references import FOREIGN_FILES, FOREIGN_FOLDERS, FOREIGN_NAME, FOREIGN_NAMES

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODE = {".hpp", ".cpp", ".h", ".c", ".py", ".sh", ".cmake", ".in", ".js", ".yaml", ".yml", ".toml", ".service", ".map", ".list"}
# Documents of the past, and generated files.
UNCHECKED = {"CHANGELOG.md", "docs/plan.md", "docs/operators.md", "docs/performance.md"}

FILE = re.compile(r"(?<![\w/.:@{}$~-])((?:\.\./)*(?:[\w.*+-]+/)*[\w*+-][\w.*+-]*\.(?:hpp|cpp|py|sh|cmake|md)(?:\.in)?"
                  r"|(?:[\w.-]+/)+[\w-]+\.[ch])(?![\w/(=*])")
FOLDER = re.compile(r"(?:[\w.-]+/)+")
OPTION = re.compile(r"(?<![\w\-/<\[.])--[a-z][a-z0-9-]*[a-z0-9]")
QUALIFIED = re.compile(r"(?<![\w:.])(?:[A-Za-z_]\w*::)+[A-Za-z_]\w*")
NAME = re.compile(r"(?<![\w.:/'@-])(?:[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|k[A-Z]\w+|[a-z]+(?:_[a-z0-9]+)+)\b(?![/.]\w)")
TEST = re.compile(r"(?<![\w.])[A-Z]\w+\.[A-Z]\w+(?![\w.])")  # Suite.Case
PLACEHOLDER = re.compile(r"FAMILY|FILE|NAME")
LINK = re.compile(r"\]\(([^)\s#:]*)(?:#([\w-]+))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.M)
QUOTED = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^ *```.*?^ *```", re.S | re.M)
C_TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
PYTHON_TOKENS = re.compile(r'^[ \t]*[rf]?"""(.*?)"""|"""(?:.*?)"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*', re.S | re.M)
HASH = re.compile(r"(?:^|(?<=\s))#[^\n]*", re.M)


def blank(text):
    """Returns as many empty lines as the text has."""
    return re.sub(r"[^\n]", " ", text)


def split(path, text):
    """Returns the code of a file without its comments, and the comments without the code. Both keep their line numbers."""
    comments, end = [], 0

    def take(match):
        nonlocal end
        token = match.group()
        is_comment = token.startswith(("//", "/*", "#")) and not token.startswith("#!") or (match.re is PYTHON_TOKENS and match[1])
        if not is_comment:
            return token
        comments.extend((blank(text[end:match.start()]), token))
        end = match.end()
        return blank(token)

    tokens = {".py": PYTHON_TOKENS}.get(path.suffix, C_TOKENS if path.suffix in (".hpp", ".cpp", ".h", ".c", ".js") else HASH)
    return tokens.sub(take, text), "".join(comments)


class Tree:
    """The tracked files: their names, the words and options in their code, and the texts to check."""

    def __init__(self):
        names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
        paths = [pathlib.Path(name) for name in names if (ROOT / name).is_file()]
        self.files, self.folders, self.texts, code = set(), set(), [], []
        for path in paths:
            parts = path.parts
            self.files.update("/".join(parts[first:]) for first in range(len(parts)))
            self.folders.update("/".join(parts[first:last]) + "/" for last in range(1, len(parts)) for first in range(last))
            if path.suffix == ".md":
                self.texts.append((path, FENCE.sub(lambda match: blank(match.group()), (ROOT / path).read_text())))
            elif path.suffix in CODE or path.name in ("CMakeLists.txt", "run", "Dockerfile"):
                own_code, comments = split(path, (ROOT / path).read_text())
                code.append(own_code)
                self.texts.append((path, comments))
        self.words = set(re.findall(r"\w+", "\n".join([*code, *names])))
        self.options = set(re.findall(r"--[a-z][a-z0-9-]*[a-z0-9]", "\n".join(code)))

    def has_file(self, name):
        name = PLACEHOLDER.sub("*", re.sub(r"^(\.\./)+", "", name))
        if name in self.files or name in FOREIGN_FILES or name.startswith("hwy/"):
            return True
        return "*" in name and any(fnmatch.fnmatchcase(file, name) for file in self.files)

    def has_folder(self, name):
        pattern = PLACEHOLDER.sub("*", name)
        return name in self.folders | FOREIGN_FOLDERS or ("*" in pattern and bool(fnmatch.filter(self.folders, pattern)))

    def has_option(self, name):
        """Returns whether an option exists. Options may be made from the names of fields: --drain-seconds from drain_seconds."""
        return name in self.options or ("-" in name[2:] and name[2:].replace("-", "_") in self.words)

    def has_name(self, name):
        return name in self.words or name.rstrip("s") in self.words or name in FOREIGN_NAMES or FOREIGN_NAME.fullmatch(name)

    def faults(self, text, only_quoted_names):
        """Yields the position and the text of what a text mentions and the tree doesn't have."""
        yield from ((m.start(), f"no file {m[1]}") for m in FILE.finditer(text) if not self.has_file(m[1]))
        yield from ((m.start(), f"no option {m[0]}") for m in OPTION.finditer(text) if not self.has_option(m[0]))
        spans = [(m.start(1), m[1]) for m in QUOTED.finditer(text)]
        yield from ((at, f"no folder {span}") for at, span in spans if FOLDER.fullmatch(span) and not self.has_folder(span))
        for start, span in spans if only_quoted_names else [(0, text)]:
            for match in [*QUALIFIED.finditer(span), *TEST.finditer(span), *NAME.finditer(span)]:
                if not all(map(self.has_name, re.findall(r"\w+", match[0]))):
                    yield start + match.start(), f"no name {match[0]}"


def broken_links(path, text):
    """Yields the position and the text of the links of a document that lead nowhere."""
    for match in LINK.finditer(text):
        target = ROOT / path.parent / match[1] if match[1] else ROOT / path
        if not target.exists():
            yield match.start(), f"no file {match[1]}"
        elif match[2] and match[2] not in headings(target.read_text()):
            yield match.start(), f"no heading {match[2]} of {target.name}"


def headings(text):
    """Returns the headings of a document in the form in which links name them."""
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}


def main():
    tree = Tree()
    found = set()
    for path, text in tree.texts:
        if path.suffix == ".md":
            found.update((str(path), text.count("\n", 0, at) + 1, fault) for at, fault in broken_links(path, text))
        if str(path) not in UNCHECKED:
            in_cpp = path.suffix in (".hpp", ".cpp", ".h")
            found.update((str(path), text.count("\n", 0, at) + 1, fault) for at, fault in tree.faults(text, not in_cpp))
    print("\n".join(f"{path}:{line}: {fault} in the tree" for path, line, fault in sorted(found))
          or f"{len(tree.texts)} files mention nothing that is absent")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
