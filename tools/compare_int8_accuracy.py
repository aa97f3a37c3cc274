#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the exactness of `kuiper quantize` with that of plain rounding, simulated in PyTorch.

  compare_int8_accuracy.py --kuiper PATH [--samples 6] [--tests 3] [--threads 2] [--options OPTIONS] [NET ...]

NET is a name of tools/int8_nets.py; without one, all are taken. The networks have random weights and statistics, and the pictures
are random as well. In the simulation every convolution and linear layer reads its input rounded to 256 levels over the range that
the samples show (one range for the array), and its weight rounded to -127 to 127 times a scale for each output. Both are
measured on pictures that are not among the samples: the ratio of the float network's outputs to the differences, in dB, over all
outputs. OPTIONS are further options of `kuiper quantize`, which runs with --no-timing, so that nothing depends on the CPU.

It needs torch, pnnx and numpy, and for the networks timm, torchvision, ultralytics and segmentation_models_pytorch.
"""
import argparse
import contextlib
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile

import numpy
import pnnx
import torch

import int8_nets

LAYERS = (torch.nn.Conv1d, torch.nn.Conv2d, torch.nn.Linear)


def flat(outputs):
    """Returns the arrays of a network's outputs, however they are nested, in their order."""
    if isinstance(outputs, torch.Tensor):
        return [outputs]
    parts = outputs.values() if isinstance(outputs, dict) else outputs
    return [array for part in parts for array in flat(part)]


class First(torch.nn.Module):
    """Gives the first output only. Further outputs serve the training."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, picture):
        return flat(self.net(picture))[0]


def decibels(wanted, found):
    signal = sum(float((array.astype(float) ** 2).sum()) for array in wanted)
    noise = sum(float(((left.astype(float) - right) ** 2).sum()) for left, right in zip(wanted, found))
    return 10 * math.log10(signal / noise) if signal > 0 and noise > 0 else math.inf


def answers(net, pictures):
    with torch.no_grad():  # also needed before an export, because detectors keep the grid of the first picture
        return [net(picture).numpy() for picture in pictures]


def round_weight(layer):
    weight = layer.weight.data
    scale = weight.flatten(1).abs().amax(1).clamp_min(1e-30).view(-1, *[1] * (weight.dim() - 1)) / 127
    layer.weight.data = (weight / scale).round().clamp(-127, 127) * scale


def simulated(net, samples, tests):
    """Returns the outputs of the network with rounded weights and layer inputs. Rounds the weights in place."""
    layers = [module for module in net.modules() if isinstance(module, LAYERS)]
    ranges = {layer: [0.0, 0.0] for layer in layers}

    def watch(layer, inputs):
        low, high = ranges[layer]
        ranges[layer] = [min(low, inputs[0].min().item()), max(high, inputs[0].max().item())]

    def round_input(layer, inputs):
        low, high = ranges[layer]
        scale = max((high - low) / 255, 1e-30)
        return (torch.fake_quantize_per_tensor_affine(inputs[0], scale, round(-low / scale), 0, 255), *inputs[1:])

    hooks = [layer.register_forward_pre_hook(watch) for layer in layers]
    answers(net, samples)
    for hook in hooks:
        hook.remove()
    for layer in layers:
        round_weight(layer)
        layer.register_forward_pre_hook(round_input)
    return answers(net, tests)


def output_of(command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{shlex.join(command)}: {(result.stderr.strip() or result.stdout.strip())[-500:]}")
    return result.stdout


def quantised(net, samples, tests, arguments, folder):
    """Returns the outputs of the model that `kuiper quantize` writes, and its report of the layers."""
    # The converter writes both files before it imports its own Python code, which fails if a module's name
    # holds a '-'.
    with contextlib.suppress(SyntaxError):
        pnnx.export(net, os.path.join(folder, "net.pt"), samples[0], fp16=False)
    float_pair, int8_pair = ([os.path.join(folder, f"{stem}.pnnx.{end}") for end in ("param", "bin")]
                             for stem in ("net", "net_int8"))
    os.mkdir(os.path.join(folder, "samples"))
    for i, picture in enumerate(samples):
        numpy.save(os.path.join(folder, "samples", f"{i}.npy"), picture.numpy())
    threads = ["--threads", str(arguments.threads)]
    said = output_of([arguments.kuiper, "quantize", *float_pair, "--inputs", os.path.join(folder, "samples"), "--no-timing",
                      "--output", os.path.join(folder, "net_int8"), *threads, *shlex.split(arguments.options)])
    found = []
    for picture in tests:
        numpy.save(os.path.join(folder, "test.npy"), picture.numpy())
        output_of([arguments.kuiper, "run", *int8_pair, "--input", os.path.join(folder, "test.npy"), "--output-dir", folder,
                   *threads])
        found.append(numpy.load(os.path.join(folder, "out0.npy")))
    return found, re.search(r"(\d+ of \d+) layers are in int8", said).group(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nets", nargs="*", metavar="NET")
    parser.add_argument("--kuiper", required=True)
    parser.add_argument("--samples", type=int, default=6)
    parser.add_argument("--tests", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--options", default="")
    arguments = parser.parse_args()
    unknown = set(arguments.nets) - set(int8_nets.NETS)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known are {', '.join(int8_nets.NETS)}")
    torch.set_num_threads(arguments.threads)
    print(f"{'net':24}{'simulated, dB':>16}{'kuiper, dB':>14}  layers in int8", flush=True)
    worse = 0
    for name in arguments.nets or int8_nets.NETS:
        net, side = int8_nets.make(name)
        net = First(net).eval()
        pictures = torch.randn(arguments.samples + arguments.tests, 1, 3, side, side)
        samples, tests = pictures[:arguments.samples], pictures[arguments.samples:]
        wanted = answers(net, tests)
        with tempfile.TemporaryDirectory() as folder:
            found, layers = quantised(net, samples, tests, arguments, folder)
        ours, plain = decibels(wanted, found), decibels(wanted, simulated(net, samples, tests))
        worse += ours < plain
        print(f"{name:24}{plain:16.1f}{ours:14.1f}  {layers}", flush=True)
    print(f"worse than the simulation: {worse}")


if __name__ == "__main__":
    main()
