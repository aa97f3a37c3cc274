#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names the first operator whose result departs from PyTorch's.

    kuiper run --param m.pnnx.param --bin m.pnnx.bin --input x.npy --dump operands
    compare_pytorch.py m_pnnx.py operands [--rtol 1e-3] [--all]

m_pnnx.py is the PyTorch code that the converter writes beside the model; it reads m.pnnx.bin from its own folder. The
model's inputs are taken from the dump. A result departs if an element differs by more than rtol times the standard
deviation of PyTorch's result. Exit status: 0 if all are equal, 1 if one departs, 2 if they cannot be compared. Needs this project's
Python package, which does the same in one call (kuiper_infer.compare), and PyTorch (docs/exporting.md).
"""

import argparse
import pathlib
import sys

import numpy as np
import torch
from kuiper_infer._pytorch.comparing import departures, operators_in
from kuiper_infer._pytorch.converter_code import CodeError, ConverterCode


def main() -> int:
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
    param = args.model.with_name(args.model.name.removesuffix("_pnnx.py") + ".pnnx.param")
    operators = operators_in(param) if param.exists() else {}
    departed = 0
    try:
        code = ConverterCode(args.model)
        missing = [name for name in code.inputs if name not in dump]
        if missing:
            parser.error(f"{args.dump}: the inputs {', '.join(missing)} are not there")
        inputs = [torch.from_numpy(dump[name]) for name in code.inputs]
        for departure in departures(code, inputs, dump, args.rtol, operators):
            departed += 1
            print(departure)
            if not args.all:
                break
    except CodeError as error:
        parser.error(str(error))
    if not departed:
        print(f"{len(dump)} operands are equal")
    return 1 if departed else 0


if __name__ == "__main__":
    sys.exit(main())
