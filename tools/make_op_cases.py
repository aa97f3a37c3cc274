#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes test/data/op_cases/FAMILY/FILE.zip: small modules exported by the converter, with PyTorch's outputs.

    pip install torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu
    pip install pnnx numpy
    python3 tools/make_op_cases.py [FAMILY | FAMILY/FILE ...] [--out test/data/op_cases] [--jobs 2] [--only REGEX]

The modules are in op_cases/, with a folder for each family. For each case the archive holds NAME/model.param, NAME/model.bin,
NAME/in0.npy, ..., NAME/out0.npy, ... and, if the case has a tolerance of its own, NAME/tolerance. The C++ test op_cases_test
reads the archives without Python. A wrong call (op_cases/calls.py) has NAME/error, a part of its error, instead of outputs.
"""
import argparse
import concurrent.futures
import functools
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
import op_cases


def converter():
    """Returns the executable itself, which starts faster than the package's launcher."""
    import pnnx
    folder = pathlib.Path(pnnx.__file__).parent
    return next((str(path) for path in (folder / "bin" / "pnnx", folder / "pnnx") if path.is_file()), "pnnx")


def flatten(result):
    if isinstance(result, (tuple, list)):
        return [item for part in result for item in flatten(part)]
    return [result]


def shape_option(tensors):
    """Returns the converter's option for inputs, for example [1,3,8,8]f32,[2]i64."""
    import torch
    short = {torch.float32: "f32", torch.float64: "f64", torch.float16: "f16", torch.int64: "i64", torch.int32: "i32",
             torch.int16: "i16", torch.int8: "i8", torch.uint8: "u8", torch.bool: "bool", torch.complex64: "c64",
             torch.complex128: "c128"}
    return ",".join("[" + ",".join(map(str, tensor.shape)) + "]" + short[tensor.dtype] for tensor in tensors)


def npy(tensor):
    stream = io.BytesIO()
    np.save(stream, tensor.resolve_conj().resolve_neg().numpy())
    return stream.getvalue()


def convert(module, inputs, other):
    """Returns {entry: bytes} for the two files. Raises RuntimeError with the converter's message."""
    import torch
    with tempfile.TemporaryDirectory() as folder:
        torch.jit.trace(module, tuple(inputs), check_trace=False).save(os.path.join(folder, "model.pt"))
        command = [converter(), "model.pt", "inputshape=" + shape_option(inputs), "fp16=0"]
        if other is not None:
            command.append("inputshape2=" + shape_option(other))
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        param = pathlib.Path(folder, "model.pnnx.param")
        if not param.exists():
            raise RuntimeError("the converter failed: " + run.stderr[-300:])
        return {"model.param": param.read_bytes(), "model.bin": pathlib.Path(folder, "model.pnnx.bin").read_bytes()}


def written(param, weights):
    """{entry: bytes} of the two files of a graph that is given as text."""
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w") as archive:
        for name, tensor in weights.items():
            archive.writestr(zipfile.ZipInfo(name), tensor.contiguous().numpy().tobytes())
    return {"model.param": param.encode(), "model.bin": stored.getvalue()}


def export_call(call):
    """{entry: bytes} of an operation that is called alone."""
    entries = written(call.param, call.weights)
    for prefix, tensors in (("in", call.inputs), ("out", call.outputs)):
        entries.update({f"{prefix}{k}.npy": npy(tensor) for k, tensor in enumerate(tensors)})
    for entry in ("tolerance", "error"):
        if getattr(call, entry) is not None:
            entries[entry] = str(getattr(call, entry)).encode()
    return entries


def export(case):
    """Returns {entry: bytes} for a case."""
    import torch
    torch.set_num_threads(1)
    if isinstance(case, op_cases.call.Call):
        return export_call(case)
    torch.manual_seed(0)
    module, inputs, other = case.build()
    with torch.no_grad():
        if case.param is None:
            entries = convert(module, inputs, other)
        else:
            entries = written(case.param, case.weights)
        tested = inputs if other is None else other
        given = [tensor.clone() for tensor in tested]  # some modules write into their inputs
        outputs = flatten(module(*tested))
    for prefix, tensors in (("in", given), ("out", outputs)):
        entries.update({f"{prefix}{k}.npy": npy(tensor) for k, tensor in enumerate(tensors)})
    if case.tolerance is not None:
        entries["tolerance"] = str(case.tolerance).encode()
    return entries


def export_by_name(file, name):
    try:
        return export(next(case for case in op_cases.load(file) if case.name == name))
    except Exception as error:  # a module that cannot be traced must not end the others
        return repr(error)


def make_archive(pool, file, only, path):
    """Writes an archive and returns the number of cases that failed."""
    names = [case.name for case in op_cases.load(file) if re.search(only, case.name)]
    failed = 0
    unfinished = path.with_suffix(".part")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, entries in zip(names, pool.map(functools.partial(export_by_name, file), names)):
            if isinstance(entries, str):
                failed += 1
                print(f"FAIL {file}/{name}: {entries}", flush=True)
                continue
            for entry, data in entries.items():
                archive.writestr(zipfile.ZipInfo(f"{name}/{entry}"), data, zipfile.ZIP_DEFLATED)
    unfinished.replace(path)
    print(f"{len(names) - failed} cases in {path}, {os.path.getsize(path)} bytes, {failed} failed", flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help="all by default, or some of: " + " ".join(op_cases.FILES))
    parser.add_argument("--out", default=str(HERE.parent / "test" / "data" / "op_cases"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="regular expression on the names")
    args = parser.parse_args()
    files = [file for file in op_cases.FILES if not args.families or {file, file.split("/")[0]} & set(args.families)]
    unknown = set(args.families) - {name for file in files for name in (file, file.split("/")[0])}
    if unknown:
        parser.error(f"unknown families: {' '.join(sorted(unknown))}")
    paths = {file: pathlib.Path(args.out) / f"{file}.zip" for file in files}
    for path in paths.values():
        path.parent.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ProcessPoolExecutor(args.jobs, multiprocessing.get_context("spawn")) as pool:
        failed = sum(make_archive(pool, file, args.only, path) for file, path in paths.items())
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
