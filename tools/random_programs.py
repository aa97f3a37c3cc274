#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares random PyTorch programs, exported by the converter and run by kuiper, with PyTorch.

With --via torch they are exported by torch.export and run by the Python package kuiper_infer instead.

    pip install torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu
    pip install pnnx numpy
    python3 tools/random_programs.py [--seed 0] [--count 200] [--jobs 1] [--only-seed N] [--kuiper build/bin/kuiper]

A program is a chain of 3 to 8 operations that its seed decides. The programs have the seeds SEED, SEED+1, ... Every program
whose outcome is not "equal" is printed. --only-seed prints one program whatever its outcome, and --keep leaves its files in
a folder.
"""
import argparse
import collections
import concurrent.futures
import functools
import multiprocessing
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from random_programs import exam

OURS = ("wrong", "refused", "crashed")


def print_program(seed, outcome, words, source):
    print(f"--- seed {seed}: {outcome}: {words}\n{source}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only-seed", type=int)
    parser.add_argument("--keep", metavar="DIR", help="with --only-seed: where the files stay")
    parser.add_argument("--kuiper", default="build/bin/kuiper")
    parser.add_argument("--via", choices=("pnnx", "torch"), default="pnnx")
    args = parser.parse_args()
    if args.via == "torch":
        from random_programs import by_torch

        examine = by_torch.examine
    else:
        examine = functools.partial(exam.examine, str(pathlib.Path(args.kuiper).resolve()))
    if args.only_seed is not None:
        result = examine(args.only_seed, keep=args.keep)
        print_program(*result)
        sys.exit(result[1] in OURS)
    counts = collections.Counter()
    seeds = range(args.seed, args.seed + args.count)
    with concurrent.futures.ProcessPoolExecutor(args.jobs, multiprocessing.get_context("spawn")) as pool:
        for result in pool.map(examine, seeds):
            counts[result[1]] += 1
            if result[1] != "equal":
                print_program(*result)
    for outcome, meaning in exam.OUTCOMES.items():
        print(f"{counts[outcome]:6} {outcome}: {meaning}")
    sys.exit(any(counts[outcome] for outcome in OURS))


if __name__ == "__main__":
    main()
