#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exports architectures of other people's libraries and compares each with PyTorch.

    pip install torch torchvision --index-url https://download.pytorch.org/whl/cpu
    pip install pnnx timm transformers segmentation_models_pytorch ultralytics
    python3 tools/export_exam.py [--via torch|pnnx|auto] [--count 300] [--seed 0] [--only PATTERN] [--jobs 1]

The weights are random. The architectures are drawn by the seed, one of each library in turns, until PyTorch has made and
run `--count` of them; 0 takes all. Every architecture with another outcome than "equal" is printed, and the table of
outcomes by library at the end. --csv FILE gets each outcome at once; architectures that it has already are not judged again.
"""

import argparse
import collections
import contextlib
import csv
import fnmatch
import functools
import itertools
import multiprocessing
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from export_exam.judge import OUTCOMES, judge, names_by_library

OURS = ("wrong", "refused", "crashed")
COLUMNS = ("name", "outcome", "seconds", "words")


def drawn_names(args):
    """All names in the order in which they are taken."""
    missing = []
    libraries = list(names_by_library(missing).values())
    for each in missing:
        print(f"left out: {each}", file=sys.stderr)
    if args.only:
        return fnmatch.filter(itertools.chain(*libraries), args.only)
    for names in libraries:
        random.Random(args.seed).shuffle(names)
    return [name for turn in itertools.zip_longest(*libraries) for name in turn if name is not None]


def outcomes_of(args, names, known):
    """(name, outcome, seconds, words) of each, in order; `known`: rows of an earlier run by name."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(args.jobs, maxtasksperchild=30) as pool:
        run = functools.partial(judge, via=args.via, seconds=args.seconds)
        judged = pool.imap(run, [name for name in names if name not in known])
        for name in names:
            if name in known:
                yield known[name], False
            else:
                name, outcome, words, seconds = next(judged)
                yield (name, outcome, f"{seconds:.1f}", words), True


def print_table(results):
    counts = collections.Counter((name.split("/")[0], outcome) for name, outcome, _, _ in results)
    libraries = sorted({library for library, _ in counts})
    print(f"| | {' | '.join([*libraries, 'all'])} |\n|---|{'---|' * (len(libraries) + 1)}")
    for outcome, meaning in OUTCOMES.items():
        row = [counts[library, outcome] for library in libraries]
        print(f"| {outcome}: {meaning} | {' | '.join(map(str, [*row, sum(row)]))} |")


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
    names = drawn_names(args)
    known, results, made = {}, [], 0
    if args.csv and pathlib.Path(args.csv).exists():
        with open(args.csv, newline="") as file:
            known = {row[0]: row for row in csv.reader(file) if row != list(COLUMNS)}
    with open(args.csv, "a", newline="") if args.csv else contextlib.nullcontext() as file:
        if file and not known:
            csv.writer(file).writerow(COLUMNS)
        for row, new in outcomes_of(args, names, known):
            results.append(row)
            if new and file:
                csv.writer(file).writerow(row)
                file.flush()
            if row[1] != "equal":
                print(f"{row[0]}: {row[1]}: {row[3]}", flush=True)
            made += row[1] != "not made"
            if made == args.count and not args.only:
                break
    print_table(results)
    sys.exit(any(row[1] in OURS for row in results))


if __name__ == "__main__":
    main()
