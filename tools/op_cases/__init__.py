# SPDX-License-Identifier: MIT
"""The modules of make_op_cases.py: every operator in the forms that models use, a file per family."""
import functools
import importlib
import pathlib

from . import case

FAMILIES = sorted(path.stem for path in pathlib.Path(__file__).parent.glob("*.py") if path.stem not in ("__init__", "case"))


@functools.cache
def load(family):
    """The cases of a family."""
    case.CASES.clear()
    importlib.import_module(f"{__name__}.{family}")
    names = [item.name for item in case.CASES]
    repeated = {name for name in names if names.count(name) > 1}
    assert not repeated, f"{family}: case names must be unique: {sorted(repeated)}"
    return list(case.CASES)
