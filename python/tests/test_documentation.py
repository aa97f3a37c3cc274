# SPDX-License-Identifier: MIT
"""The examples in docstrings and in docs/python.md."""

import contextlib
import doctest
import importlib
import importlib.util
import io
import pkgutil
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import kuiper_infer
from conftest import ROOT

MODULES = [kuiper_infer.__name__] + [
    f"kuiper_infer.{each.name}"
    for each in pkgutil.iter_modules(kuiper_infer.__path__)
    if (not each.ispkg or each.name == "text") and each.name not in ("__main__", "_core", "ray")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name, line_reader):
    examples = {"example": line_reader, "example_tokenizer": ROOT / "test/data/tokenizers/gpt2.json", "np": np}
    failed, _ = doctest.testmod(importlib.import_module(name), extraglobs=examples)
    assert failed == 0


def test_everything_public_is_documented():
    for name in kuiper_infer.__all__:
        assert name == "__version__" or getattr(kuiper_infer, name).__doc__, name


def test_the_page(monkeypatch):
    """Runs its blocks of Python in order; where a block without a language follows, it is what is printed."""
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", (ROOT / "docs/python.md").read_text(), re.S | re.M)
    assert len(blocks) > 10
    names: dict = {}
    for (language, code), (follower, expected) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if language != "python":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, names)
        assert follower or printed.getvalue() == expected, code
    assert names["image"].shape == (1, 3, 224, 224)


def faults_of_pip_commands(text: str) -> list[str]:
    """Lines whose `pip install` finds nothing (the package is on no index) or brings the libraries of GPUs along."""
    lines = [line for line in text.splitlines() if "pip install" in line]
    unknown = [line for line in lines if re.search(r"pip install[^#`{]*[ \"']kuiper[-_]infer\b", line)]
    torch = [line for line in lines if re.search(r"pip install[^#`{]*[ \"']torch\b", line)]
    return unknown + [line for line in torch if "https://download.pytorch.org/whl/cpu" not in line]


def test_pip_commands_can_be_followed():
    assert len(faults_of_pip_commands("pip install 'kuiper_infer[serve]'\npip install -q pnnx torch==2.6\n")) == 2
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("the tracked files are git's to tell")
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    texts = [
        ROOT / name for name in tracked.split() if name.endswith((".md", ".py", ".sh", ".cpp", ".hpp", "Dockerfile"))
    ]
    faults = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in texts
        if path.is_file() and path.name != "test_documentation.py"
        for line in faults_of_pip_commands(path.read_text())
    ]
    assert not faults


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="PyTorch is installed")
def test_what_is_missing_is_named_by_commands():
    with pytest.raises(ImportError, match="pip install .*torch.* --index-url https://download.pytorch.org/whl/cpu"):
        kuiper_infer.compare("absent.pnnx.param", inputs=None)


@pytest.mark.parametrize(("module", "package"), [("serve", "kserve"), ("batch", "pyarrow")])
def test_programs_name_the_commands_that_install_what_they_lack(module, package):
    program = f"from kuiper_infer.{module}.__main__ import main; sys.exit(main(['--help']))"
    code = f"import sys; sys.modules[{package!r}] = None; {program}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    last = done.stderr.splitlines()[-1]
    assert done.returncode != 0
    assert re.search(rf"{package}.*: pip install .*{package}", last), last


@pytest.mark.parametrize(
    ("picture", "text"), [("line_hello.png", "Hello, world!"), ("line_invoice.jpg", "Invoice #2024-0831: $1,249.50")]
)
def test_the_demo(picture, text):
    command = [sys.executable, "demos/python/read_line.py", f"tmp/{picture}"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout == text + "\n"
    command[-1] = "absent.png"
    failed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert failed.returncode == 1 and failed.stderr.startswith("error: ")
