#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Quantises or times a model under OpenVINO, for tools/compare_int8.py. It needs openvino, nncf and numpy.

  openvino_model.py quantize MODEL QUANTIZED.xml SAMPLES.npz [--transformer]
  openvino_model.py bench MODEL INPUT.npy... --threads N --seconds S [--float32] [--outputs FOLDER]

`quantize` quantises a model by nncf with its default settings. SAMPLES holds the arrays I_K, input K of sample I.
`bench` prints one JSON object as `kuiper bench --json` does. Without --float32 OpenVINO chooses the precision of
layers that are not quantised: bfloat16 on CPUs that have it. --outputs also writes the outputs, as `kuiper run --output-dir` does.
"""
import argparse
import json
import os
import time

import numpy
import openvino


def quantize(arguments):
    import nncf
    nncf.set_log_level("ERROR")
    archive = numpy.load(arguments.samples)
    count = 1 + max(int(key.split("_")[0]) for key in archive.files)
    inputs = len(archive.files) // count
    samples = [[archive[f"{sample}_{k}"] for k in range(inputs)] for sample in range(count)]
    kind = nncf.ModelType.TRANSFORMER if arguments.transformer else None
    quantized = nncf.quantize(openvino.Core().read_model(arguments.model), nncf.Dataset(samples), model_type=kind,
                              subset_size=count)
    openvino.save_model(quantized, arguments.quantized, compress_to_fp16=False)


def bench(arguments):
    hints = {"INFERENCE_NUM_THREADS": arguments.threads, "PERFORMANCE_HINT": "LATENCY"}
    if arguments.float32:
        hints["INFERENCE_PRECISION_HINT"] = "f32"
    inputs = [numpy.load(path) for path in arguments.inputs]
    compiled = openvino.Core().compile_model(arguments.model, "CPU", hints)
    request = compiled.create_infer_request()
    for _ in range(2):
        request.infer(inputs, share_inputs=True, share_outputs=True)
    times = []
    end = time.perf_counter() + arguments.seconds
    while len(times) < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        request.infer(inputs, share_inputs=True, share_outputs=True)
        times.append((time.perf_counter() - start) * 1e3)
    if arguments.outputs:
        for k in range(len(compiled.outputs)):
            numpy.save(os.path.join(arguments.outputs, f"out{k}.npy"), request.get_output_tensor(k).data)
    print(json.dumps({"min_ms": min(times), "median_ms": float(numpy.median(times)), "runs": len(times),
                      "precision": str(compiled.get_property("INFERENCE_PRECISION_HINT"))}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("quantize")
    command.set_defaults(run=quantize)
    command.add_argument("model")
    command.add_argument("quantized")
    command.add_argument("samples")
    command.add_argument("--transformer", action="store_true")
    command = commands.add_parser("bench")
    command.set_defaults(run=bench)
    command.add_argument("model")
    command.add_argument("inputs", nargs="+")
    command.add_argument("--threads", type=int, required=True)
    command.add_argument("--seconds", type=float, required=True)
    command.add_argument("--float32", action="store_true")
    command.add_argument("--outputs")
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
