#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exports architectures of other people's libraries and compares each with PyTorch.

    pip install torch torchvision --index-url https://download.pytorch.org/whl/cpu
    pip install pnnx timm transformers segmentation_models_pytorch ultralytics
    python3 tools/export_exam.py [--via torch|pnnx|auto] [--count 300] [--seed 0] [--only PATTERN] [--jobs 1]

The weights are random. `--count` chooses that many architectures by the seed; 0 takes all. Every architecture with
another outcome than "equal" is printed, and the table of outcomes at the end. --csv FILE writes all of them.
"""

import argparse
import collections
import csv
import fnmatch
import functools
import multiprocessing
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from export_exam.judge import OUTCOMES, judge, names_of_all

OURS = ("wrong", "refused", "crashed")


def chosen_names(args):
    missing = []
    names = names_of_all(missing)
    for each in missing:
        print(f"left out: {each}", file=sys.stderr)
    if args.only:
        return fnmatch.filter(names, args.only)
    if 0 < args.count < len(names):
        names = sorted(random.Random(args.seed).sample(names, args.count))
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--via", choices=("auto", "torch", "pnnx"), default="torch")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", metavar="PATTERN", help="names such as 'timm/*'")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=300, help="time for one architecture")
    parser.add_argument("--csv", metavar="FILE")
    args = parser.parse_args()
    names = chosen_names(args)
    results = []
    context = multiprocessing.get_context("spawn")
    with context.Pool(args.jobs, maxtasksperchild=8) as pool:
        run = functools.partial(judge, via=args.via, seconds=args.seconds)
        for name, outcome, words, seconds in pool.imap_unordered(run, names):
            results.append((name, outcome, round(seconds, 1), words))
            if outcome != "equal":
                print(f"{name}: {outcome}: {words}", flush=True)
    if args.csv:
        with open(args.csv, "w", newline="") as file:
            csv.writer(file).writerows([("name", "outcome", "seconds", "words"), *sorted(results)])
    counts = collections.Counter(outcome for _, outcome, _, _ in results)
    for outcome, meaning in OUTCOMES.items():
        print(f"{counts[outcome]:6} {outcome}: {meaning}")
    sys.exit(any(counts[outcome] for outcome in OURS))


if __name__ == "__main__":
    main()
