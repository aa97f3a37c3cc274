#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what number formats cost on tasks: float32, high, medium, int8 (weights of any and of narrow pairs), and weights
alone in int8 and int4.

    tools/get_model.py minilm; tools/get_model.py efficientnet_lite0
    pip install torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu
    pip install . numpy==2.4.6 pillow==13.0.0 fonttools==4.68.0 pnnx==20261020
    tools/accuracy.py --write docs/numerics.md

Prints a table, and with --write puts it between the marks of a document. A task is left out, with a message, if its
model, packages or fonts are missing.
"""
import argparse
import importlib
import os
import pathlib
import sys
import tempfile

import torch

from accuracy.formats import measure_all
from accuracy.table import replace_section, section
from accuracy.task import ROOT, Lacking
from cpu_name import cpu_name

TASKS = ("lines", "detector", "segmenter", "sentences", "pictures")


def prepare(name, arguments):
    """Returns the task, or None if something that it needs is missing."""
    counts = {"count": arguments.samples, "calibration_count": arguments.calibration_samples}
    counts = {key: count for key, count in counts.items() if count}
    user_cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "kuiper_infer"
    folder = arguments.models if name in ("lines", "detector", "segmenter") else arguments.models / "models"
    try:
        return importlib.import_module(f"accuracy.{name}").prepare(folder, user_cache, **counts)
    except Lacking as lack:
        print(f"accuracy: {name} is left out: {lack}", file=sys.stderr)
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=TASKS, help="default: all")
    parser.add_argument("--models", type=pathlib.Path, default=ROOT / "tmp",
                        help="folder of the sample models; those of get_model.py are in its folder models (default: tmp)")
    parser.add_argument("--samples", type=int, help="the most samples for each task (default: all)")
    parser.add_argument("--calibration-samples", type=int, help="the most samples for calibration (default: all)")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE", help="the document that gets the table")
    arguments = parser.parse_args()
    for option in ("samples", "calibration_samples"):
        count = getattr(arguments, option)
        if count is not None and count < 1:
            parser.error(f"--{option.replace('_', '-')} is {count}, expected 1 or more")
    if arguments.write:
        try:  # found now, not after minutes of measuring
            replace_section(arguments.write.read_text(encoding="utf-8"), "")
        except (OSError, ValueError) as error:
            parser.error(f"--write {arguments.write}: {error}")
    torch.set_num_threads(1)
    results = []
    for name in arguments.tasks:
        task = prepare(name, arguments)
        if task is None:
            continue
        print(f"accuracy: {task.title} ...", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            results.append((task, *measure_all(task, pathlib.Path(folder))))
    if not results:
        return 1
    text = section(results, cpu_name())
    print(text, end="")
    if arguments.write:
        document = arguments.write.read_text(encoding="utf-8")
        arguments.write.write_text(replace_section(document, text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
