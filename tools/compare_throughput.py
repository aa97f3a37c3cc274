#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the requests per second of several clients of one model under kuiper, ONNX Runtime and OpenVINO, in turns.

  compare_throughput.py MODELS --kuiper PATH [--names resnet18,mobilenet_v2] [--clients 1,2,4] [--seconds 2] [--rounds 3]
                        [--write docs/performance.md]

MODELS holds a folder for each model: NAME/NAME.onnx, NAME.pnnx.param, NAME.pnnx.bin and the inputs in0.npy, in1.npy, ...
A client sends its next request as soon as it has an answer. kuiper is run as `kuiper bench --clients N`: in streams (runs at
once, each on one thread) and in turn (one run after the other, on all threads). ONNX Runtime has one session with
intra_op_num_threads=1, called by N threads. OpenVINO is compiled with PERFORMANCE_HINT THROUGHPUT and called through an
AsyncInferQueue of N requests: in float32 for the comparison with kuiper at `highest`, and with its default number format
(bfloat16 if the CPU has it) for that at `medium`. Each engine runs in a process of its own, and its best round counts.
--write replaces the section of the document; otherwise the section is printed. It needs openvino, onnxruntime and numpy.
"""
import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import threading
import time

import numpy

from cpu_name import cpu_name
from performance_table import MODELS

HEADING = "## Several clients\n"
# The columns of each precision: title, engine.
COLUMNS = {"highest": {"streams": "ours, streams", "in turn": "ours, in turn", "onnxruntime": "ONNX Runtime",
                       "openvino": "OpenVINO"},
           "medium": {"streams": "ours, streams", "in turn": "ours, in turn", "openvino default": "OpenVINO"}}


def summary(times, seconds):
    """Returns rates and percentiles; `times` are the seconds of each request."""
    return {"requests_per_s": len(times) / seconds, "p50_ms": float(numpy.percentile(times, 50)) * 1e3,
            "p99_ms": float(numpy.percentile(times, 99)) * 1e3}


def run_onnxruntime(name, inputs, clients, seconds):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(f"{name}.onnx", options, providers=["CPUExecutionProvider"])
    feed = {info.name: array for info, array in zip(session.get_inputs(), inputs)}
    session.run(None, feed)
    times = [[] for _ in range(clients)]
    start = time.perf_counter()

    def ask(own):
        now = time.perf_counter()
        while now - start < seconds:
            session.run(None, feed)
            before, now = now, time.perf_counter()
            own.append(now - before)

    threads = [threading.Thread(target=ask, args=(own,)) for own in times]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return summary([value for own in times for value in own], time.perf_counter() - start)


def run_openvino(name, inputs, clients, seconds, hints):
    import openvino
    compiled = openvino.Core().compile_model(f"{name}.onnx", "CPU", {"PERFORMANCE_HINT": "THROUGHPUT", **hints})
    queue = openvino.AsyncInferQueue(compiled, clients)
    times = []
    queue.set_callback(lambda request, asked: times.append(time.perf_counter() - asked))
    for _ in range(2 * clients):
        queue.start_async(inputs, time.perf_counter(), share_inputs=True)
    queue.wait_all()
    times.clear()
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        queue.get_idle_request_id()  # waits until a client has been answered
        queue.start_async(inputs, time.perf_counter(), share_inputs=True)
    queue.wait_all()
    return summary(times, time.perf_counter() - start)


def run_peer(arguments):
    """Measures a peer in this process, and returns its figures."""
    os.chdir(os.path.join(arguments.models, arguments.names))
    inputs = []
    while os.path.exists(f"in{len(inputs)}.npy"):
        inputs.append(numpy.load(f"in{len(inputs)}.npy"))
    clients = int(arguments.clients)
    if arguments.peer == "onnxruntime":
        return run_onnxruntime(arguments.names, inputs, clients, arguments.seconds)
    hints = {} if arguments.peer == "openvino default" else {"INFERENCE_PRECISION_HINT": "f32"}
    return run_openvino(arguments.names, inputs, clients, arguments.seconds, hints)


def output_of(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout.splitlines()[-1])


def measure_round(arguments, name, precision, clients):
    """Returns {engine: figures}."""
    folder = os.path.join(arguments.models, name)
    command = [arguments.kuiper, "bench", "--param", f"{folder}/{name}.pnnx.param", "--bin", f"{folder}/{name}.pnnx.bin",
               "--precision", precision, "--clients", str(clients), "--seconds", str(arguments.seconds), "--json"]
    inputs = 0
    while os.path.exists(f"{folder}/in{inputs}.npy"):
        command += ["--input", f"{folder}/in{inputs}.npy"]
        inputs += 1
    ours = output_of(command)
    figures = {"streams": ours, "in turn": ours["in_turn"]}
    for peer in COLUMNS[precision]:
        if peer in figures:
            continue
        figures[peer] = output_of([sys.executable, __file__, arguments.models, "--names", name, "--clients", str(clients),
                                   "--seconds", str(arguments.seconds), "--peer", peer])
    return figures


def measure(arguments):
    """Returns [{model, precision, clients, engines: {engine: figures}}]."""
    results = []
    for name in arguments.names.split(","):
        for precision in COLUMNS:
            for clients in map(int, arguments.clients.split(",")):
                rounds = [measure_round(arguments, name, precision, clients) for _ in range(arguments.rounds)]
                engines = {engine: max((each[engine] for each in rounds), key=lambda each: each["requests_per_s"])
                           for engine in COLUMNS[precision]}
                results.append({"model": name, "precision": precision, "clients": clients, "engines": engines})
                rates = ", ".join(f"{engine} {each['requests_per_s']:.1f}/s" for engine, each in engines.items())
                print(f"{name} {precision} {clients} clients: {rates}", file=sys.stderr, flush=True)
    return results


def section(results, load):
    lines = [HEADING,
             "Written by `tools/compare_throughput.py` from one run. Clients of one model ask again as soon as they are answered.",
             "A cell has requests a second and, in brackets, the 99th percentile of a request's milliseconds. \"Streams\" are runs",
             "of one thread at once, \"in turn\" one run after the other by all threads (`kuiper bench --clients N` shows both).",
             "ONNX Runtime has one session with one thread an operator, called by a thread for each client; OpenVINO its",
             "throughput hint and a queue of as many requests. A ratio is the better of our two over the best peer, above 1: we",
             "answer more.", "",
             f"{datetime.date.today().isoformat()}, {cpu_name()}, {os.cpu_count()} processors; load average when it began: {load:.1f}.", ""]
    for precision, columns in COLUMNS.items():
        formats = "float32" if precision == "highest" else "`medium`, OpenVINO's default number format"
        lines += [f"### {formats}", "", "| model | clients | " + " | ".join(columns.values()) + " | ratio |",
                  "|---|---|" + "---|" * (len(columns) + 1)]
        for result in results:
            if result["precision"] != precision:
                continue
            engines = result["engines"]
            rate = {engine: engines[engine]["requests_per_s"] for engine in columns}
            ours = max(rate.pop("streams"), rate.pop("in turn"))
            cells = [f"{engines[engine]['requests_per_s']:.0f} ({engines[engine]['p99_ms']:.1f})" for engine in columns]
            lines.append(f"| {MODELS.get(result['model'], (result['model'],))[0]} | {result['clients']} | " + " | ".join(cells) +
                         f" | {ours / max(rate.values()):.2f} |")
        lines.append("")
    return "\n".join(lines)


def write(path, text):
    """Replaces the section of a document, or adds it at the end."""
    with open(path, encoding="utf-8") as file:
        document = file.read()
    found = re.search(re.escape(HEADING) + r".*?(?=^## |\Z)", document, re.DOTALL | re.MULTILINE)
    before, after = (document[:found.start()], document[found.end():]) if found else (document, "")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{before.rstrip()}\n\n{text.strip()}\n\n{after}".rstrip() + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models")
    parser.add_argument("--kuiper")
    parser.add_argument("--names", default="resnet18,mobilenet_v2")
    parser.add_argument("--clients", default="1,2,4")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write")
    parser.add_argument("--peer", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        print(json.dumps(run_peer(arguments)))
        return
    if not arguments.kuiper:
        parser.error("--kuiper is required")
    load = os.getloadavg()[0]
    text = section(measure(arguments), load)
    if arguments.write:
        write(arguments.write, text)
    else:
        print(text)


if __name__ == "__main__":
    main()
