# SPDX-License-Identifier: MIT
"""The modules of make_op_cases.py: every operator in the forms that models use, with a folder for each family, and whole graphs
in graphs/."""
import functools
import importlib
import pathlib

from . import call, case

FILES = sorted(f"{path.parent.name}/{path.stem}" for path in pathlib.Path(__file__).parent.glob("*/*.py"))


@functools.cache
def load(file):
    """Returns the cases of a file."""
    case.CASES.clear()
    importlib.import_module(f"{__name__}.{file.replace('/', '.')}")
    names = [item.name for item in case.CASES]
    repeated = {name for name in names if names.count(name) > 1}
    assert not repeated, f"{file}: case names must be unique: {sorted(repeated)}"
    return list(case.CASES)
