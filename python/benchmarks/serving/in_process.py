# SPDX-License-Identifier: MIT
"""Measures the throughput of a model in one process without a service: a thread for each core calls it. Prints
requests per second, and milliseconds of CPU time per request."""

from __future__ import annotations

import argparse
import os
import threading
import time

import numpy as np


def kuiper(param: str, threads: int):
    """Returns the engine with `threads`, as in a service's config.toml."""
    import kuiper_infer

    model = kuiper_infer.Model(param, threads=threads)
    inputs = [np.random.default_rng(0).random(info.shape, np.float32) for info in model.inputs]
    return lambda: model.run(inputs)


def onnx(path: str, threads: int):
    """Returns ONNX Runtime, for comparison."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    inputs = {i.name: np.random.default_rng(0).random(i.shape, np.float32) for i in session.get_inputs()}
    return lambda: session.run(None, inputs)


def main() -> None:
    """Runs for some seconds and prints the rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="file of type .pnnx.param or .onnx")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--callers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--threads", type=int, default=0, help="of one run; 0: all cores")
    given = parser.parse_args()
    run = (onnx if given.model.endswith(".onnx") else kuiper)(given.model, given.threads)
    counts = [0] * given.callers
    for _ in range(5):
        run()
    end = time.monotonic() + given.seconds

    def call(caller: int) -> None:
        while time.monotonic() < end:
            run()
            counts[caller] += 1

    callers = [threading.Thread(target=call, args=(caller,)) for caller in range(given.callers)]
    begun, worked = time.monotonic(), time.process_time()
    for thread in callers:
        thread.start()
    for thread in callers:
        thread.join()
    requests = sum(counts)
    print(requests / (time.monotonic() - begun), (time.process_time() - worked) / requests * 1000)


if __name__ == "__main__":
    main()
