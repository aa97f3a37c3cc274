#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names the first operator whose result departs from PyTorch's.

    kuiper run --param m.pnnx.param --bin m.pnnx.bin --input x.npy --dump operands
    compare_pytorch.py m_pnnx.py operands [--rtol 1e-3] [--all]

m_pnnx.py is the PyTorch code that the converter writes beside the model; it reads m.pnnx.bin from its own folder. The
model's inputs are taken from the dump. A result departs when some element differs by more than rtol times the standard
deviation of PyTorch's. Exit status: 0 all equal, 1 something departs, 2 it cannot be compared. Needs torch and numpy.
"""
import argparse
import importlib.util
import inspect
import os
import pathlib
import re
import sys

import numpy as np
import torch


def load_model(path):
    """The converter's Model with its weights, which it looks for in the working folder."""
    spec = importlib.util.spec_from_file_location("pnnx_model", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    os.chdir(path.parent)
    return module.Model().eval()


def arrays_of(values):
    """{name: array} of the tensors among a frame's variables, which are called v_OPERAND."""
    found = {}
    for name, value in values.items():
        if name.startswith("v_") and isinstance(value, torch.Tensor):
            found[name[2:]] = value.detach().clone().resolve_conj().numpy()
    return found


class Recorder:
    """Keeps every operand with the line that made it: later lines may write into the same memory."""

    def __init__(self, function):
        self.code = function.__code__
        lines, self.first_line = inspect.getsourcelines(function)
        self.source = [line.strip() for line in lines]
        self.operands = {}  # name: (array, line)

    def __call__(self, frame, event, _argument):
        if frame.f_code is not self.code:
            return None
        if event in ("line", "return"):
            fresh = {name: value for name, value in frame.f_locals.items() if name[2:] not in self.operands}
            for name, array in arrays_of(fresh).items():
                self.operands[name] = (array, self.line_of(name))
        return self

    def line_of(self, operand):
        pattern = re.compile(rf"\bv_{re.escape(operand)}\b.*=")
        return next((line for line in self.source if pattern.match(line.split("(")[0] + "=")), "(an input)")


def run(model, inputs):
    recorder = Recorder(type(model).forward)
    sys.settrace(recorder)
    try:
        with torch.no_grad():
            model(*inputs)
    finally:
        sys.settrace(None)
    return recorder.operands


def difference(ours, theirs):
    """(text, how many times the standard deviation) of the largest difference; None where all is equal."""
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return f"{ours.dtype}{list(ours.shape)}, PyTorch {theirs.dtype}{list(theirs.shape)}", np.inf
    if ours.size == 0:
        return None
    kind = complex if np.iscomplexobj(theirs) else float
    a, b = ours.astype(kind), theirs.astype(kind)
    with np.errstate(invalid="ignore"):
        error = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, np.abs(a - b))
    error = np.where(np.isnan(error), np.inf, error)
    at = np.unravel_index(np.argmax(error), error.shape)
    if error[at] == 0:
        return None
    scale = float(np.std(b[np.isfinite(b)])) if np.isfinite(b).any() else 0
    position = ",".join(map(str, at))
    return f"[{position}] is {a[at]}, PyTorch {b[at]}", float(error[at]) / max(scale, 1e-6)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path, help="MODEL_pnnx.py")
    parser.add_argument("dump", type=pathlib.Path, help="folder that kuiper run --dump wrote")
    parser.add_argument("--rtol", type=float, default=1e-3, help="allowed difference in standard deviations")
    parser.add_argument("--all", action="store_true", help="list every operand that departs, not only the first")
    args = parser.parse_args()
    for path in (args.model, args.dump):
        if not path.exists():
            parser.error(f"{path}: not found")
    dump = {path.stem: np.load(path) for path in args.dump.glob("*.npy")}
    model = load_model(args.model.resolve())
    names = [name[2:] for name in inspect.signature(model.forward).parameters]
    missing = [name for name in names if name not in dump]
    if missing:
        parser.error(f"{args.dump}: the inputs {', '.join(missing)} are not there")
    operands = run(model, [torch.from_numpy(dump[name]) for name in names])
    compared, departed = 0, 0
    for name, (array, line) in operands.items():
        if name not in dump:
            continue
        compared += 1
        found = difference(dump[name], array)
        if found is not None and found[1] > args.rtol:
            departed += 1
            print(f"operand {name}: {found[0]} ({found[1]:.2g} standard deviations)\n  {line}")
            if not args.all:
                break
    if departed == 0:
        print(f"{compared} operands are equal")
    return 1 if departed else 0


if __name__ == "__main__":
    sys.exit(main())
