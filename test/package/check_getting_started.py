#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs docs/getting-started.md from top to bottom, on a fresh prefix in a home folder of its own.

    test/package/check_getting_started.py

Code blocks that begin with a file's name in a comment become files; all shell blocks run in one shell. Packages are not
fetched from PyPI. If torch and kuiper_infer (for step 6 also pnnx and onnx) are not installed, their blocks are left out, and step 2 takes
the files in test/package/getting_started, which its export.py has written.
"""
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPORTED = ROOT / "test/package/getting_started"


def installed(*modules):
    return all(importlib.util.find_spec(module) for module in modules)


def blocks(page):
    """Returns (language, code) of each fenced block."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", page, re.S | re.M)


def shell_of(language, code, python, onnx):
    """Returns the lines of shell that stand for a block."""
    name = re.match(r"(?://|#) ([\w.]+)\n", code)
    if language != "sh":
        return f"cat > {name[1]} <<'END_OF_FILE'\n{code}END_OF_FILE\n" if name else ""
    if "onnx" in code and not onnx:
        return "echo 'left out: a step that needs torch, pnnx and onnx'\n"
    code = re.sub(r"^((?:python3 -m venv|pip install).*)$", r"echo 'left out: \1'", code, flags=re.M)
    if not python:
        code = re.sub(r"^python3 export\.py$", f"cp '{EXPORTED}'/net.pnnx.* '{EXPORTED}/x.npy' .\n"
                      f"echo 'left out: export.py, which needs torch and kuiper_infer; its results are taken from {EXPORTED.name}'\n"
                      f"cat '{EXPORTED}/expected.txt'", code, flags=re.M)
    return code


def main():
    python = installed("torch", "kuiper_infer", "numpy")
    onnx = python and installed("pnnx", "onnx")
    page = (ROOT / "docs/getting-started.md").read_text()
    script = "".join(shell_of(language, code, python, onnx) for language, code in blocks(page))
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "PYTHONWARNINGS": "ignore"}
        for variable in ("CMAKE_PREFIX_PATH", "PKG_CONFIG_PATH"):
            environment.pop(variable, None)
        # Programs that a version manager keeps in the real home.
        environment.setdefault("PYENV_ROOT", str(pathlib.Path.home() / ".pyenv"))
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=ROOT, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stdout[-6000:]}\ndocs/getting-started.md: a command failed with {done.returncode}")
    print(*(line for line in done.stdout.splitlines() if line.startswith("left out")), sep="\n")

    # The outputs of PyTorch, of the program built by CMake, and of the program built by pkg-config.
    lines = re.findall(r"^(?:\d\.\d{4} ?){10}$", done.stdout, re.M)
    numbers = [[float(word) for word in line.split()] for line in lines]
    if len(numbers) != 3 or any(abs(a - b) > 1.5e-4 for row in numbers[1:] for a, b in zip(numbers[0], row)):
        sys.exit(f"docs/getting-started.md: expected three equal lines of ten numbers, found {lines}")
    if "10 classes" not in done.stdout:
        sys.exit("docs/getting-started.md: the program of step 5 printed no classes")
    print(f"docs/getting-started.md works as it stands: {lines[0]}")


if __name__ == "__main__":
    main()
