#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes test/data/op_cases.zip: small modules exported by the converter, with PyTorch's outputs.

    pip install torch==2.13.0 pnnx numpy
    python3 tools/make_op_cases.py [--out test/data/op_cases.zip] [--jobs 2] [--only REGEX]

The modules are listed in op_cases.py. Per case the archive holds NAME/model.param, NAME/model.bin, NAME/in0.npy, ... and
NAME/out0.npy, ... The C++ test op_cases_test reads it without Python.
"""
import argparse
import concurrent.futures
import io
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


def converter():
    """The executable itself: faster to start than the package's launcher."""
    import pnnx
    path = pathlib.Path(pnnx.__file__).parent / "bin" / "pnnx"
    return str(path) if path.exists() else "pnnx"


def flatten(result):
    if isinstance(result, (tuple, list)):
        return [item for part in result for item in flatten(part)]
    return [result]


def export(case):
    """(name, {entry: bytes}) or (name, error text)."""
    import torch
    torch.set_num_threads(1)
    torch.manual_seed(0)
    module, inputs = case.build()
    short = {torch.float32: "f32", torch.float64: "f64", torch.int64: "i64", torch.int32: "i32", torch.bool: "bool"}
    shapes = ",".join("[" + ",".join(map(str, x.shape)) + "]" + short[x.dtype] for x in inputs)
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        outputs = flatten(module(*inputs))
        torch.jit.trace(module, tuple(inputs), check_trace=False).save(os.path.join(folder, "model.pt"))
        run = subprocess.run([converter(), "model.pt", "inputshape=" + shapes, "fp16=0"], cwd=folder, capture_output=True, text=True)
        param = pathlib.Path(folder, "model.pnnx.param")
        if not param.exists():
            return case.name, "the converter failed: " + run.stderr[-300:]
        entries = {"model.param": param.read_bytes(), "model.bin": pathlib.Path(folder, "model.pnnx.bin").read_bytes()}
        for prefix, tensors in (("in", inputs), ("out", outputs)):
            for k, tensor in enumerate(tensors):
                stream = io.BytesIO()
                np.save(stream, tensor.numpy())
                entries[f"{prefix}{k}.npy"] = stream.getvalue()
        return case.name, entries


def export_by_name(name):
    import op_cases
    try:
        return export(next(case for case in op_cases.CASES if case.name == name))
    except Exception as error:  # one module that cannot be traced must not lose the others
        return name, repr(error)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=str(HERE.parent / "test" / "data" / "op_cases.zip"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="regular expression on the names")
    args = parser.parse_args()
    import op_cases
    names = [case.name for case in op_cases.CASES if re.search(args.only, case.name)]
    assert len(set(names)) == len(names), "case names must be unique"
    failed = 0
    with concurrent.futures.ProcessPoolExecutor(args.jobs, multiprocessing.get_context("spawn")) as pool, zipfile.ZipFile(args.out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, entries in pool.map(export_by_name, names):
            if isinstance(entries, str):
                failed += 1
                print(f"FAIL {name}: {entries}", flush=True)
                continue
            for entry, data in entries.items():
                archive.writestr(zipfile.ZipInfo(f"{name}/{entry}"), data, zipfile.ZIP_DEFLATED)
    print(f"{len(names) - failed} cases in {args.out}, {os.path.getsize(args.out)} bytes, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
