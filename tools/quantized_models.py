# SPDX-License-Identifier: MIT
"""Quantises a model by this library and by nncf on the same samples, for tools/compare_int8.py."""
import math
import os
import re
import subprocess
import sys

import numpy

OPENVINO = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "openvino_model.py")]
# nncf has to be told that these models are transformers.
TRANSFORMERS = {"bert_base", "swin_t", "vit_b_16"}


def output_of(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}: {(result.stderr.strip() or result.stdout.strip())[-500:]}")
    return result.stdout


def input_names(param):
    with open(param, encoding="utf-8") as file:
        return [line.split()[1] for line in file if line.startswith("pnnx.Input ")]


def draw(inputs, count):
    """Returns [sample][input]: random numbers of a fixed seed. Floats are normal with the input's mean and deviation, integers
    lie between its least and largest element."""
    random = numpy.random.default_rng(19)

    def like(array):
        if array.dtype.kind == "f":
            return random.normal(array.mean(), array.std(), array.shape).astype(array.dtype)
        return random.integers(array.min(), array.max() + 1, array.shape).astype(array.dtype)

    return [[like(array) for array in inputs] for _ in range(count)]


def write_samples(folder, samples, names):
    """Writes the samples as the archive that openvino_model.py reads and as the folder that `kuiper quantize --inputs` reads."""
    numpy.savez(os.path.join(folder, "samples.npz"),
                **{f"{i}_{k}": array for i, sample in enumerate(samples) for k, array in enumerate(sample)})
    for k, name in enumerate(names):
        place = os.path.join(folder, "samples", name) if len(names) > 1 else os.path.join(folder, "samples")
        os.makedirs(place, exist_ok=True)
        for i, sample in enumerate(samples):
            numpy.save(os.path.join(place, f"{i}.npy"), sample[k])


def sqnr(exact, rounded):
    """Returns the SQNR, in dB, of the arrays in the folder ROUNDED against the arrays in the folder EXACT."""
    signal = noise = 0.0
    for name in sorted(os.listdir(exact)):
        expected, got = (numpy.load(os.path.join(place, name)).astype(float) for place in (exact, rounded))
        signal += float((expected ** 2).sum())
        noise += float(((expected - got) ** 2).sum())
    return 10 * math.log10(signal / noise) if signal > 0 and noise > 0 else math.inf


def prepare(workdir, name, kuiper, count, threads, folder):
    """Quantises the model into FOLDER and runs each form of it once. Returns the command that times each engine and number
    format (without --threads and --seconds), the SQNR of each engine's int8 model, and this library's sentence on layers,
    such as "20 of 21 layers are in int8"."""
    base = os.path.join(workdir, name)
    pair = [base + ".pnnx.param", base + ".pnnx.bin"]
    names = input_names(pair[0])
    paths = [os.path.join(workdir, f"in{k}.npy") for k in range(len(names))]
    write_samples(folder, draw([numpy.load(path) for path in paths], count), names)
    quantized = os.path.join(folder, name)
    quantized_pair = [quantized + ".pnnx.param", quantized + ".pnnx.bin"]
    said = output_of([kuiper, "quantize", *pair, "--inputs", os.path.join(folder, "samples"), "--output", quantized,
                      "--threads", threads])
    layers = re.search(r"\d+ of \d+ layers are in int8", said).group()
    output_of([*OPENVINO, "quantize", base + ".onnx", quantized + ".xml", os.path.join(folder, "samples.npz"),
               *["--transformer"] * (name in TRANSFORMERS)])

    def results(kind):
        place = os.path.join(folder, kind)
        os.makedirs(place, exist_ok=True)
        return place

    given = [word for path in paths for word in ("--input", path)]
    commands = {}
    for precision in ("highest", "high", "medium"):
        commands[f"kuiper {precision}"] = [kuiper, "bench", *pair, *given, "--json", "--precision", precision]
    for precision in ("highest", "medium"):
        commands[f"kuiper int8 {precision}"] = [kuiper, "bench", *quantized_pair, *given, "--json",
                                                "--precision", precision]
    for kind, files in (("kuiper_float", pair), ("kuiper_int8", quantized_pair)):
        output_of([kuiper, "run", *files, *given, "--output-dir", results(kind)])
    for kind, model in (("", base + ".onnx"), ("int8 ", quantized + ".xml")):
        command = [*OPENVINO, "bench", model, *paths]
        commands[f"openvino {kind}float32"] = [*command, "--float32"]
        commands[f"openvino {kind}default"] = command
        output_of([*command, "--float32", "--threads", "1", "--seconds", "0",
                   "--outputs", results("openvino_int8" if kind else "openvino_float")])
    ratios = {engine: sqnr(results(engine + "_float"), results(engine + "_int8")) for engine in ("kuiper", "openvino")}
    return commands, ratios, layers
