#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exports architectures of other people's libraries and compares each with PyTorch.

    pip install torch torchvision --index-url https://download.pytorch.org/whl/cpu
    pip install pnnx timm transformers segmentation_models_pytorch ultralytics diffusers monai spandrel torchaudio
    pip install asteroid braindecode kornia speechbrain torch_geometric vit-pytorch x-transformers
    python3 tools/export_exam.py [--via torch|pnnx|auto] [--count 300] [--seed 0] [--only PATTERN] [--jobs 1]

The weights are random. The architectures of six libraries are drawn by the seed, one of each in turns, until PyTorch has
made and run `--count` of them; 0 takes all. Networks of other libraries, such as diffusers and MONAI, are taken by --only 'monai/*'.
Every architecture with another outcome than "equal" is printed, and the table of outcomes by library at the end. --csv FILE gets each
outcome at once; architectures that it has already are not judged again.
--only 'zoo/*' takes the models of ../shared/zoo.
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
import queue
import random
import sys
from concurrent import futures
from concurrent.futures.process import BrokenProcessPool

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from export_exam.judge import OUTCOMES, judge, names_by_library

DRAWN = ("hand", "segmentation", "timm", "torchvision", "transformers", "ultralytics")
OURS = ("wrong", "refused", "crashed")
COLUMNS = ("name", "outcome", "seconds", "words")


def drawn_names(args):
    """All names in the order in which they are taken."""
    missing = []
    names = names_by_library(missing)
    libraries = [each for library, each in names.items() if args.only or library in DRAWN]
    for each in missing:
        print(f"left out: {each}", file=sys.stderr)
    if args.only:
        return fnmatch.filter(itertools.chain(*libraries), args.only)
    for names in libraries:
        random.Random(args.seed).shuffle(names)
    return [name for turn in itertools.zip_longest(*libraries) for name in turn if name is not None]


def new_worker():
    return futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), max_tasks_per_child=30)


def judge_by(workers, via, seconds, memory, name):
    """Judges in a process of its own, which an architecture may end."""
    worker = workers.get()
    try:
        return worker.submit(judge, name, via, seconds, memory).result()
    except BrokenProcessPool:
        worker = new_worker()
        return name, "crashed", "the process ended", 0.0
    finally:
        workers.put(worker)


def outcomes_of(args, names, known):
    """(name, outcome, seconds, words) of each, in order, and whether it is new; `known`: rows of an earlier run by name."""
    workers = queue.SimpleQueue()
    for _ in range(args.jobs):
        workers.put(new_worker())
    run = functools.partial(judge_by, workers, args.via, args.seconds, args.memory << 30)
    threads = futures.ThreadPoolExecutor(args.jobs)
    try:
        judged = threads.map(run, [name for name in names if name not in known])
        for name in names:
            if name in known:
                yield known[name], False
            else:
                name, outcome, words, seconds = next(judged)
                yield (name, outcome, f"{seconds:.1f}", words), True
    finally:
        threads.shutdown(cancel_futures=True)
        while not workers.empty():
            workers.get().shutdown()


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
    parser.add_argument("--seconds", type=int, default=300, help="time of the CPU for one architecture")
    parser.add_argument("--memory", type=int, default=12, help="GiB for one architecture")
    parser.add_argument("--csv", metavar="FILE")
    args = parser.parse_args()
    names = drawn_names(args)
    known, results, made = {}, [], 0
    if args.csv and pathlib.Path(args.csv).exists():
        with open(args.csv, newline="") as file:
            known = {row[0]: row for row in csv.reader(file) if row != list(COLUMNS)}
    judged = outcomes_of(args, names, known)
    with open(args.csv, "a", newline="") if args.csv else contextlib.nullcontext() as file, contextlib.closing(judged):
        if file and not known:
            csv.writer(file).writerow(COLUMNS)
        for row, new in judged:
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
