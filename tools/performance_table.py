#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints docs/performance.md: performance_table.py LINES FORMATS GEMM_BENCH

LINES is the output of peers.py, a line for each model and thread count; FORMATS is the output of compare_int8.py --json.
GEMM_BENCH is the program that measures the machine's peak. tools/compare_peers.sh calls this.
"""
import datetime
import importlib.metadata
import json
import re
import subprocess
import sys

from cpu_name import cpu_name

# Billions of floating-point operations of one run (two for each multiply-add), and the target for time / best peer.
MODELS = {
    "resnet18": ("ResNet-18, 224", 3.63, 0.70),
    "resnet50": ("ResNet-50, 224", 8.2, 0.85),
    "yolov5s": ("YOLOv5s (u), 640", 24.2, 0.75),
    "yolov8n": ("YOLOv8n, 640", 8.9, 0.75),
    "mobilenet_v2": ("MobileNetV2, 224", 0.60, 0.88),
    "mobilenet_v3_small": ("MobileNetV3-small, 224", 0.12, 0.75),
    "shufflenet_v2_x1_0": ("ShuffleNetV2 x1.0, 224", 0.29, 0.75),
    "efficientnet_b0": ("EfficientNet-B0, 224", 0.82, 0.75),
    "convnext_tiny": ("ConvNeXt-T, 224", 8.9, 0.88),
    "swin_t": ("Swin-T, 224", 9.0, 0.88),
    "vit_b_16": ("ViT-B/16, 224", 35.2, 0.95),
    "bert_base": ("BERT-base, 128 tokens", 22.4, 0.95),
    "resnet18_b8": ("ResNet-18, 224, batch 8", 29.0, 0.65),
}
PEERS = {"ncnn": "ncnn", "ort": "ONNX Runtime", "openvino": "OpenVINO"}
# The columns of the tables of number formats: times, and quotients of times.
FORMATS = {"kuiper highest": "highest", "kuiper high": "high", "kuiper medium": "medium", "kuiper int8 highest": "int8",
           "kuiper int8 medium": "int8, medium", "openvino default": "OpenVINO", "openvino int8 float32": "OpenVINO int8",
           "openvino int8 default": "OpenVINO int8, default"}
QUOTIENTS = {"medium ratio": ("kuiper medium", "openvino default"),
             "int8 ratio": ("kuiper int8 highest", "openvino int8 float32"),
             "int8, medium ratio": ("kuiper int8 medium", "openvino int8 default"),
             "highest / int8": ("kuiper highest", "kuiper int8 highest")}


def ceiling(bench, threads):
    """Returns the GFLOP/s of multiply-adds on registers: the best of five runs, because other programs may slow a run down."""
    command = [bench, "--benchmark_filter=square_256/packed", "--benchmark_min_time=0.2"]
    rates = []
    for _ in range(5):
        text = subprocess.run(command, capture_output=True, text=True, check=True,
                              env={"OMP_NUM_THREADS": str(threads)}).stdout
        rate = float(re.search(r"GFLOP/s=([0-9.]+)", text).group(1))
        rates.append(rate / float(re.search(r"of_ceiling=([0-9.]+)", text).group(1)))
    return max(rates)


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "?"


def read(path):
    """Returns {threads: {model: {engine: milliseconds}}}."""
    results = {}
    for line in open(path, encoding="utf-8"):
        match = re.match(r"(\S+) threads=(\d+) (.*?)\s*(\||$)", line)
        if match is None:
            continue
        times = {name: float(best) for name, best in re.findall(r"(\w+) ([0-9.]+)/[0-9.]+", match.group(3))}
        results.setdefault(int(match.group(2)), {})[match.group(1)] = times
    return results


def print_float32(results, bench):
    print("## float32\n")
    print("\"Ratio\" is our time divided by the best peer's. \"Share\" is the model's nominal work in that time over the machine's")
    print("multiply-add ceiling: Winograd's convolutions need fewer operations, so it can exceed what the units do.\n")
    for threads in sorted(results):
        top = ceiling(bench, threads)
        print(f"### {threads} thread{'s' if threads > 1 else ''} (ceiling {top:.0f} GFLOP/s)\n")
        print("| model | ours | " + " | ".join(PEERS.values()) + " | ratio | target | share |")
        print("|---|---|" + "---|" * (len(PEERS) + 3))
        for name, (title, gflop, target) in MODELS.items():
            times = results[threads].get(name)
            if times is None or "kuiper" not in times:
                continue
            ours = times["kuiper"]
            peers = [times.get(peer) for peer in PEERS]
            best = min(time for time in peers if time is not None)
            cells = [f"{time:.2f}" if time is not None else "fails" for time in peers]
            print(f"| {title} | {ours:.2f} | " + " | ".join(cells) +
                  f" | {ours / best:.2f} | {target:.2f} | {100 * gflop / (ours * 1e-3) / top:.0f} % |")
        print()


def print_formats(results):
    """Prints the tables of number formats. RESULTS is the output of compare_int8.py, an object for each model and thread count."""
    print("## Number formats\n")
    print(f"The matrix unit is {', '.join(sorted({result['unit'] for result in results}))}. `highest`, `high` and `medium` "
          "are the levels of")
    print("[precision](numerics.md); \"int8\" is what `kuiper quantize` makes of the model without a gate, the layers that it")
    print("leaves in float at `highest` or at `medium`. \"OpenVINO\" is its default, bfloat16 where the CPU has it; \"OpenVINO")
    print(f"int8\" is what nncf's default settings make of the same {results[0]['samples']} samples, the rest in float32 or in "
          "OpenVINO's default.")
    print("ONNX Runtime's default is float32.\n")
    for threads in sorted({result["threads"] for result in results}):
        print(f"### {threads} thread{'s' if threads > 1 else ''}\n")
        print("| model | " + " | ".join([*FORMATS.values(), *QUOTIENTS]) + " |")
        print("|---|" + "---|" * (len(FORMATS) + len(QUOTIENTS)))
        times_of = {result["model"]: result["ms"] for result in results if result["threads"] == threads}
        for name in MODELS:
            if name in times_of:
                least = {engine: time["min"] for engine, time in times_of[name].items()}
                cells = [f"{least[engine]:.2f}" for engine in FORMATS]
                cells += [f"{least[dividend] / least[divisor]:.2f}" for dividend, divisor in QUOTIENTS.values()]
                print(f"| {MODELS[name][0]} | " + " | ".join(cells) + " |")
        print()


def main():
    lines, formats, bench = sys.argv[1:]
    with open(formats, encoding="utf-8") as file:
        results = [json.loads(line) for line in file]
    if not results:
        sys.exit(f"{formats}: expected at least one line of compare_int8.py --json")
    print("# Performance\n")
    print("Written by `tools/compare_peers.sh` from one run. Every engine runs in a process of its own; they take turns, and the")
    print("fastest run of each counts. Milliseconds; a ratio is our time divided by a peer's, below 1: we are faster.\n")
    print(f"{datetime.date.today().isoformat()}, {cpu_name()}, ncnn {version('ncnn')}, ONNX Runtime {version('onnxruntime')}, "
          f"OpenVINO {version('openvino')}, nncf {version('nncf')}.\n")
    print_float32(read(lines), bench)
    print_formats(results)


if __name__ == "__main__":
    main()
