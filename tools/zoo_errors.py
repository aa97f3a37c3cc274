#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists the zoo's models whose outputs at a precision depart from PyTorch's by more than a limit.

  zoo_errors.py ZOO KUIPER [NAME ...] [--precision medium] [--limit 0.03]

ZOO is the folder of models beside the project; it holds fill_weights.py. KUIPER is the program. The error of a model is
the largest one of its floating outputs, at the positions that the zoo stores, in standard deviations of the output; an
output that is constant has none. For a model above the limit, the list has a second error: that of a run in float32 with
the weights alone rounded to bfloat16. If it is as large, the model magnifies any small change.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import zipfile

import numpy as np


def to_bfloat16(numbers):
    """Returns float32 numbers rounded to the nearest bfloat16 numbers, ties to even."""
    bits = numbers.view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


def largest_error(kuiper, folder, name, meta, precision):
    inputs = [part for k in range(len(meta["inputs"])) for part in ("--input", f"{folder}/in{k}.npy")]
    command = [kuiper, "run", "--param", f"{folder}/{name}.pnnx.param", "--bin", f"{folder}/{name}.pnnx.bin", *inputs,
               "--output-dir", folder, "--precision", precision]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    largest = 0.0
    with np.load(f"{folder}/expect.npz") as expected:
        for k, spec in enumerate(meta["outputs"]):
            want = expected[f"{k}_value"]
            if want.dtype.kind != "f" or not spec["std"]:
                continue
            got = np.load(f"{folder}/out{k}.npy").reshape(-1)[expected[f"{k}_index"]].astype(np.float64)
            error = np.abs(got - want).max(initial=0.0) / spec["std"]
            largest = max(largest, float("inf") if np.isnan(error) else error)
    return largest


def round_weights(path, meta):
    """Rewrites the file of weights. Weights of products (numbers that the zoo makes up, of rank 2 or more) are rounded."""
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, data in entries.items():
            if meta["weights"][name]["fill"] == "float" and len(meta["weights"][name]["shape"]) > 1:
                data = to_bfloat16(np.frombuffer(data, np.float32)).tobytes()
            archive.writestr(zipfile.ZipInfo(name), data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("zoo")
    parser.add_argument("kuiper")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--precision", default="medium")
    parser.add_argument("--limit", type=float, default=0.03)
    arguments = parser.parse_args()
    sys.path.insert(0, arguments.zoo)
    import fill_weights

    names = arguments.names or sorted(path.parent.name for path in pathlib.Path(arguments.zoo).glob("*/meta.json"))
    errors, outliers = [], []
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            fill_weights.fill(os.path.join(arguments.zoo, name), folder)
            meta, _ = fill_weights.load(os.path.join(arguments.zoo, name))
            errors.append(largest_error(arguments.kuiper, folder, name, meta, arguments.precision))
            if errors[-1] <= arguments.limit:
                continue
            round_weights(f"{folder}/{name}.pnnx.bin", meta)
            weights_alone = largest_error(arguments.kuiper, folder, name, meta, "highest")
        outliers.append((errors[-1], weights_alone, name))
        print(f"{name}: {errors[-1]:.2g}, weights alone {weights_alone:.2g}", file=sys.stderr, flush=True)
    print(f"{len(outliers)} of {len(names)} models are above {arguments.limit}, the median is "
          f"{statistics.median(errors):.2g}; model, error, and that of rounded weights alone:\n")
    for error, weights_alone, name in sorted(outliers, reverse=True):
        print(f"`{name}` {error:.2g} ({weights_alone:.2g})")


if __name__ == "__main__":
    main()
