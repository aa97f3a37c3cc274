#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Guards against slower code without timing anything: counts the instructions that one run of a model takes, on the AVX2
kernels and one thread, and compares them with bench/instructions.json.

    tools/check_instructions.py build/bin/kuiper             fails if a model takes 10 % more than recorded
    tools/check_instructions.py build/bin/kuiper --record    records the counts

Needs valgrind and a CPU with AVX2.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RECORD = os.path.join(ROOT, "bench", "instructions.json")
MODELS = {"tmp/line_reader": "pnnx_input_0=1,1,32,320"}
MOST_GROWTH = 1.10
RUNS_OF_PROFILE = 2  # `kuiper profile --runs N` runs a model N times by steps and N times from end to end.


def count(kuiper, model, shape, runs):
    """Returns the instructions of a process that loads a model and runs it `runs` times."""
    environment = {**os.environ, "KUIPER_ISA": "avx2", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", kuiper, "profile",
               "--param", f"{model}.pnnx.param", "--bin", f"{model}.pnnx.bin", "--threads", "1", "--shape", shape, "--runs", str(runs)]
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", result.stderr)
    if result.returncode != 0 or found is None:
        sys.exit(f"{' '.join(command)} failed:\n{result.stderr}")
    return int(found.group(1))


def main():
    kuiper = os.path.abspath(sys.argv[1])
    counted = {}
    for model, shape in MODELS.items():
        few, many = 1, 3
        counted[model] = (count(kuiper, model, shape, many) - count(kuiper, model, shape, few)) // (RUNS_OF_PROFILE * (many - few))
    if "--record" in sys.argv:
        with open(RECORD, "w") as file:
            json.dump(counted, file, indent=2)
            file.write("\n")
        return
    with open(RECORD) as file:
        recorded = json.load(file)
    slower = []
    for model, instructions in counted.items():
        ratio = instructions / recorded[model]
        print(f"{model}: {instructions / 1e6:.1f} million instructions a run, {ratio:.2f} of those recorded")
        if ratio > MOST_GROWTH:
            slower.append(model)
    if slower:
        sys.exit("more instructions than recorded: " + ", ".join(slower))


if __name__ == "__main__":
    main()
