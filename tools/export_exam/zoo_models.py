# SPDX-License-Identifier: MIT
"""The models of a zoo folder (fill_weights.py beside them fills their weights), as the converter's PyTorch code has them."""

import contextlib
import importlib.util
import pathlib
import re
import tempfile

import numpy as np
import torch

ZOO = pathlib.Path(__file__).resolve().parents[3] / "shared" / "zoo"


def zoo_models():
    """Those with code: it lacks for models with operators that the converter does not know."""
    code = sorted(ZOO.glob("*/*_pnnx.py"))
    if not code:
        raise ImportError(f"{ZOO} has no models")
    for path in code:
        yield f"zoo/{path.parent.name}", lambda path=path: _load(path)


def _import(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _load(path):
    name = path.parent.name
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        _import(ZOO / "fill_weights.py").fill(str(path.parent), folder)
        module = _import(path).Model()  # reads NAME.pnnx.bin
        arrays = sorted(pathlib.Path(folder).glob("in*.npy"), key=lambda each: int(re.sub(r"\D", "", each.stem)))
        return module, tuple(torch.from_numpy(np.load(array)) for array in arrays)
