#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the overhead of a call from Python.

    call_overhead.py [--program build/bin/kuiper] [--models FOLDER ...]

First it times a model that returns its input, by this package and by ONNX Runtime (pip install onnx onnxruntime), and
prints the microseconds of a call: the median of alternating batches. Then, for each folder with a NAME.pnnx.param,
.bin and in0.npy, it prints the minimum and median of calls from Python and of the program's `bench` on the same
inputs, in milliseconds.
"""

from __future__ import annotations

import argparse
import io
import json
import pathlib
import statistics
import subprocess
import time
import zipfile

import numpy as np

import kuiper_infer


def identity_of_ours() -> kuiper_infer.Model:
    lines = ["7767517", "2 1", "pnnx.Input pnnx_input_0 0 1 x #x=(1,3)f32", "pnnx.Output pnnx_output_0 1 0 x", ""]
    weights = io.BytesIO()
    zipfile.ZipFile(weights, "w").close()
    return kuiper_infer.Model("\n".join(lines).encode(), weights.getvalue(), threads=1)


def identity_of_onnx():
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper

    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 3]) for name in ("x", "y")]
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "identity", values[:1], values[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    onnx.checker.check_model(model)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def microseconds(call, count: int = 2000) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count * 1e6


def compare_identities() -> None:
    x = np.zeros((1, 3), np.float32)
    ours, session = identity_of_ours(), identity_of_onnx()
    calls = {
        "kuiper_infer model(x)": lambda: ours(x),
        "kuiper_infer model({name: x})": lambda: ours({"pnnx_input_0": x}),
        "onnxruntime session.run(None, {name: x})": lambda: session.run(None, {"x": x}),
    }
    batches = {name: [microseconds(call) for call in [call] * 1] for name, call in calls.items()}
    for _ in range(30):
        for name, call in calls.items():
            batches[name].append(microseconds(call))
    for name, found in batches.items():
        print(f"{statistics.median(found[1:]):8.2f} us  (least {min(found):.2f})  {name}")


def seconds_of_calls(model: kuiper_infer.Model, inputs: list[np.ndarray], seconds: float) -> list[float]:
    model(*inputs)
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter()
        model(*inputs)
        times.append(time.perf_counter() - start)
    return times


def compare_with_program(program: str, folder: pathlib.Path, threads: int, seconds: float, rounds: int) -> None:
    stem = next(folder.glob("*.pnnx.param")).with_suffix("")
    files = sorted(folder.glob("in[0-9].npy"))
    inputs = [np.load(file) for file in files]
    model = kuiper_infer.Model(f"{stem}.param", threads=threads)
    command = [program, "bench", "--json", "--param", f"{stem}.param", "--bin", f"{stem}.bin"]
    command += ["--threads", str(threads), "--seconds", str(seconds)]
    for file in files:
        command += ["--input", str(file)]
    least: dict[str, list[float]] = {"python": [], "program": []}
    middle: dict[str, list[float]] = {"python": [], "program": []}
    for _ in range(rounds):
        times = seconds_of_calls(model, inputs, seconds)
        least["python"].append(min(times) * 1e3)
        middle["python"].append(statistics.median(times) * 1e3)
        bench = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        least["program"].append(bench["min_ms"])
        middle["program"].append(bench["median_ms"])
    row = [min(least["python"]), min(least["program"])]
    row += [statistics.median(middle["python"]), statistics.median(middle["program"])]
    ratios = f"{row[0] / row[1]:6.3f} {row[2] / row[3]:6.3f}"
    print(f"{folder.name:20} {row[0]:9.3f} {row[1]:9.3f} {row[2]:9.3f} {row[3]:9.3f}   {ratios}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/bin/kuiper")
    parser.add_argument("--models", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    compare_identities()
    if args.models:
        print(f"{'':20} {'min, ms':>19} {'median, ms':>19}   python / program")
        print(f"{'model':20} {'python':>9} {'program':>9} {'python':>9} {'program':>9}   {'min':>6} {'median':>6}")
    for folder in args.models:
        compare_with_program(args.program, folder, args.threads, args.seconds, args.rounds)


if __name__ == "__main__":
    main()
