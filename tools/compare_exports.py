#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exports models by torch.export and by the converter, and compares the two files: steps, times, loading, exporting.

    pip install torch torchvision --index-url https://download.pytorch.org/whl/cpu
    pip install pnnx transformers ultralytics
    python3 tools/compare_exports.py FOLDER [NAME ...] [--threads 1] [--rounds 5]

FOLDER holds a module `export_flagships` whose F has a module and arguments by name. Each export runs in a process of its own,
so that its peak memory is known. The models are loaded and run in turns; a line has minima. With one thread, the times of loading and running
are those of the CPU, which other programs on the machine disturb less.
Methods of steps that only one way has are printed below the table.
"""

import argparse
import collections
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

WAYS = ("torch", "pnnx")


def export_one(folder, name, via, stem):
    """Runs in a process of its own: exports the model, and prints how long it took and its peak memory."""
    import warnings

    import torch

    import kuiper_infer

    sys.path.insert(0, folder)
    import export_flagships

    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    torch.set_num_threads(1)
    make, arguments = export_flagships.F[name]
    module, inputs = make().eval(), arguments()
    torch.save(list(inputs), f"{stem}.inputs")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.perf_counter()
    kuiper_infer.export(module, inputs, stem, via=via, check=False)
    seconds = time.perf_counter() - begin
    peaks = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    weights = sum(weight.numel() * weight.element_size() for weight in module.parameters())
    print(json.dumps({"seconds": seconds, "peak": max(peaks[0] - before, peaks[1]) * 1024, "weights": weights}))


def measure(stems, inputs, threads, rounds):
    """The steps of each way, and its times of loading and of a run.

    Each round loads both files anew, the other one first than in the round before: where in memory a model lies matters
    more than what is measured.
    """
    import kuiper_infer

    clock = time.process_time if threads == 1 else time.perf_counter
    steps, loads, runs = {}, collections.defaultdict(list), collections.defaultdict(list)
    for index in range(rounds):
        for way in WAYS[:: -1 if index % 2 else 1]:
            begin = clock()
            model = kuiper_infer.Model(f"{stems[way]}.pnnx.param", threads=threads)
            model.run(inputs)
            loads[way].append(clock() - begin)
            begin, count = clock(), 0
            while count < 3 or clock() - begin < 0.5:
                model.run(inputs)
                count += 1
            runs[way].append((clock() - begin) / count)
            steps[way] = list(model.profile(*inputs, runs=1))
    return steps, loads, runs


def method_of(step):
    """The method, or the operation by the name that nn.MaxPool2d and aten::max_pool2d share."""
    return step.method or step.type.replace("::", ".").split(".")[-1].replace("_", "").lower()


def compare(folder, name, threads, rounds):
    import torch

    with tempfile.TemporaryDirectory() as place:
        stems, exports = {}, {}
        for way in WAYS:
            stems[way] = str(pathlib.Path(place) / f"{way}_{name}")
            command = [sys.executable, __file__, folder, name, "--export", way, "--stem", stems[way]]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"| {name} | {way} fails: {done.stderr.strip().splitlines()[-1][:120]} |")
                return
            exports[way] = json.loads(done.stdout.strip().splitlines()[-1])
        inputs = [tensor.numpy() for tensor in torch.load(f"{stems['torch']}.inputs")]
        steps, loads, runs = measure(stems, inputs, threads, rounds)
    run, load = ({way: min(times[way]) * 1e3 for way in WAYS} for times in (runs, loads))
    row = [name, *(str(len(steps[way])) for way in WAYS)]
    row += [f"{run['torch']:.2f}", f"{run['pnnx']:.2f}", f"{run['torch'] / run['pnnx']:.3f}"]
    row += [f"{load['torch']:.0f}", f"{load['pnnx']:.0f}", f"{load['torch'] / load['pnnx']:.2f}"]
    row += [f"{exports[way]['seconds']:.1f}" for way in WAYS]
    row += [f"{exports[way]['peak'] / exports[way]['weights']:.1f}" for way in WAYS]
    print(f"| {' | '.join(row)} |", flush=True)
    methods = {way: collections.Counter(map(method_of, steps[way])) for way in WAYS}
    for way, other in (WAYS, WAYS[::-1]):
        more = methods[way] - methods[other]
        if more:
            print(f"<!-- {name}: only by {way}: {dict(more)} -->", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="with export_flagships.py, whose F has a module and arguments by name")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--export", choices=WAYS, help=argparse.SUPPRESS)
    parser.add_argument("--stem", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.export:
        export_one(args.folder, args.names[0], args.export, args.stem)
        return
    sys.path.insert(0, args.folder)
    names = args.names
    if not names:
        import export_flagships

        names = list(export_flagships.F)
    print("| model | steps, torch | pnnx | ms a run, torch | pnnx | ratio | ms to load and run once, torch | pnnx | ratio "
          "| s to export, torch | pnnx | peak by weights, torch | pnnx |")
    print("|" + "---|" * 13)
    for name in names:
        compare(args.folder, name, args.threads, args.rounds)


if __name__ == "__main__":
    main()
