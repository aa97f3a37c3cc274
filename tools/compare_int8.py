#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times a model in all number formats, here and under OpenVINO; both quantise it on the same samples.

  compare_int8.py WORKDIR NAME --kuiper PATH [--threads 1,2] [--seconds 1] [--rounds 3] [--samples 8] [--models FOLDER] [--json]

WORKDIR holds NAME.onnx, NAME.pnnx.param, NAME.pnnx.bin and the inputs in0.npy, in1.npy, ...; the samples are random numbers
like these. `kuiper quantize` runs without a gate, nncf.quantize with its default settings. Each engine runs in a process of
its own; the engines take turns, and the fastest run and the least median of a round count. SQNR compares the quantised
model's outputs for the inputs with the float32 outputs of the same engine, in dB. It is 0 if a model with random weights has
activations so small that nncf rounds them to zero. The quantised models go to FOLDER and stay there, or to
a folder that is deleted. With --json each line is an object, one for each number of threads.
It needs openvino, nncf and numpy.
"""
import argparse
import json
import os
import tempfile

from cpu_name import cpu_name
from quantized_models import output_of, prepare

# The quotients of the last lines: title, dividend, divisor.
RATIOS = [("OpenVINO / ours, float32", "openvino float32", "kuiper highest"),
          ("OpenVINO / ours, its default, ours at medium", "openvino default", "kuiper medium"),
          ("OpenVINO / ours, int8, the rest in float32", "openvino int8 float32", "kuiper int8 highest"),
          ("OpenVINO / ours, int8, its default, ours at medium", "openvino int8 default", "kuiper int8 medium"),
          ("float32 / int8, OpenVINO", "openvino float32", "openvino int8 float32"),
          ("float32 / int8, ours", "kuiper highest", "kuiper int8 highest")]


def measure(commands, threads, arguments):
    """Returns {engine: {min, median}} in ms, and the matrix unit that this library could use."""
    runs = {name: [] for name in commands}
    for _ in range(arguments.rounds):
        for name, command in commands.items():
            line = output_of([*command, "--threads", threads, "--seconds", str(arguments.seconds)])
            runs[name].append(json.loads(line.splitlines()[-1]))
    times = {name: {"min": min(run["min_ms"] for run in of), "median": min(run["median_ms"] for run in of)}
             for name, of in runs.items()}
    return times, runs["kuiper highest"][0]["unit"]


def print_text(result):
    print(f"{result['model']} threads={result['threads']} {result['cpu']}, {result['unit']}, {result['layers']}, SQNR in dB: "
          + ", ".join(f"{engine} {value:.1f}" for engine, value in result["sqnr_db"].items()))
    for name, time in result["ms"].items():
        print(f"  {name:24}{time['min']:9.3f} min{time['median']:9.3f} median")
    for title, dividend, divisor in RATIOS:
        print(f"  {title:52}{result['ms'][dividend]['min'] / result['ms'][divisor]['min']:6.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workdir")
    parser.add_argument("name")
    parser.add_argument("--kuiper", required=True)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--models")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    counts = arguments.threads.split(",")
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.models or temporary
        os.makedirs(folder, exist_ok=True)
        commands, ratios, layers = prepare(arguments.workdir, arguments.name, arguments.kuiper, arguments.samples, counts[0],
                                           folder)
        for threads in counts:
            times, unit = measure(commands, threads, arguments)
            result = {"model": arguments.name, "threads": int(threads), "cpu": cpu_name(), "unit": unit,
                      "samples": arguments.samples, "layers": layers, "sqnr_db": ratios, "ms": times}
            if arguments.json:
                print(json.dumps(result), flush=True)
            else:
                print_text(result)


if __name__ == "__main__":
    main()
