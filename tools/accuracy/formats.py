# SPDX-License-Identifier: MIT
"""Models in the number formats that are compared, and which layers of them stay in float."""
import csv
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass

import kuiper_infer
import numpy as np

LEVELS = {"float32": "highest", "high": "high", "medium": "medium"}
INT8 = {"int8": ("--pairs", "any"), "int8, narrow pairs": ("--pairs", "narrow")}
WEIGHTS_ONLY = {"weights int8": ("int8",), "weights int4": ("int4", "--group", "32")}
# Settings that are tried one after the other until the int8 model is good enough.
GATES = ((), ("--sqnr", "20"), ("--sqnr", "25"), ("--sqnr", "30"), ("--sqnr", "35"), ("--sqnr", "40"))
ENOUGH = 0.99  # of float32's figures


@dataclass
class Quantised:
    figures: list[float]
    gate: tuple[str, ...]
    layers: list[dict[str, str]]  # the rows of the report of `kuiper quantize`


def runner(model, precision="highest"):
    """Returns the model as a function of an array."""
    return kuiper_infer.Model(f"{model}.pnnx.param", threads=1, precision=precision)


def quantize(model, output, *options):
    """Runs `kuiper quantize` and returns the rows of its report."""
    command = [sys.executable, "-m", "kuiper_infer", "quantize", "--param", f"{model}.pnnx.param",
               "--bin", f"{model}.pnnx.bin", "--output", str(output), *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    with open(f"{output}.quantize.csv", encoding="utf-8", newline="") as report:
        return list(csv.DictReader(report))


def good_enough(task, figures, wanted):
    """Returns whether the figures that judge a model are near the figures in float32."""
    return all(figures[index] >= ENOUGH * wanted[index] for index in range(task.judged))


def save_samples(task, folder):
    """Writes the samples on which ranges are observed, and returns their folder."""
    samples = folder / "samples"
    samples.mkdir()
    for index, sample in enumerate(task.calibration):
        np.save(samples / f"{index:04}.npy", sample)
    return samples


def in_int8(task, float_run, wanted, options, samples):
    """Makes a static int8 model with as many int8 layers as keep it good enough. It is written beside the folder of samples."""
    folder = samples.parent
    for gate in GATES:
        # Which layers are faster in integers depends on the CPU; the accuracy should not.
        layers = quantize(task.model, folder / "int8", "--inputs", str(samples), "--no-timing", *options, *gate)
        found = Quantised(task.measure(runner(folder / "int8"), float_run), gate, layers)
        if good_enough(task, found.figures, wanted):
            break
    return found


def with_weights_only(task, float_run, options, folder):
    """Returns None if the model has neither linear layers nor embeddings."""
    text = pathlib.Path(f"{task.model}.pnnx.param").read_text(encoding="utf-8")
    if not re.search(r"^nn\.(Linear|Embedding)\s", text, re.MULTILINE):
        return None
    layers = quantize(task.model, folder / "weights", "--weights-only", *options)
    return Quantised(task.measure(runner(folder / "weights"), float_run), (), layers)


def measure_all(task, folder):
    """Returns {format: figures, or None}, and {format: Quantised} for the formats in int8."""
    float_run = runner(task.model)
    figures = {name: task.measure(runner(task.model, level), float_run) for name, level in LEVELS.items()}
    samples = save_samples(task, folder)
    int8 = {name: in_int8(task, float_run, figures["float32"], options, samples) for name, options in INT8.items()}
    figures |= {name: found.figures for name, found in int8.items()}
    for name, options in WEIGHTS_ONLY.items():
        found = with_weights_only(task, float_run, options, folder)
        figures[name] = found.figures if found else None
    return figures, int8
