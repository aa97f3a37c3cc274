#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the errors of deep networks of 3x3 convolutions by each method, for the table in docs/numerics.md.

    ninja -C build kuiper
    python3 tools/convolution_error.py [--program build/bin/kuiper]

Networks with random weights run in PyTorch, in float64 and float32, and in `kuiper` with each method forced. The
program prints the largest error against float64 and the root of the mean square, in standard deviations of the output. It
needs PyTorch, pnnx and NumPy.
"""
import argparse
import copy
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import pnnx
import torch
from torch import nn
from torch.nn import functional

METHODS = ("auto", "rows", "winograd2", "winograd4")


class Head(nn.Module):
    """The head of a detector: convolutions of 256 channels with ReLU, then one of 4."""

    def __init__(self, depth, norm):
        super().__init__()
        layers = []
        for _ in range(depth):
            layers += [nn.Conv2d(256, 256, 3, padding=1), norm(), nn.ReLU()]
            nn.init.kaiming_normal_(layers[-3].weight, nonlinearity="relu")
        self.layers = nn.Sequential(*layers, nn.Conv2d(256, 4, 3, padding=1))

    def forward(self, x):
        return self.layers(x)


def pair(inputs, outputs):
    layers = []
    for channels in (inputs, outputs):
        layers += [nn.Conv2d(channels, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU()]
    return nn.Sequential(*layers)


class NestedUNet(nn.Module):
    """UNet++: each array of a level is computed from all earlier arrays of the level and from the level below."""

    def __init__(self, widths=(32, 64, 128, 256, 512)):
        super().__init__()
        self.levels = len(widths)
        self.down = nn.ModuleList(pair(a, b) for a, b in zip((3, *widths), widths))
        self.up = nn.ModuleDict({
            f"{level}_{step}": pair(widths[level] * step + widths[level + 1], widths[level])
            for step in range(1, self.levels) for level in range(self.levels - step)
        })
        self.last = nn.Conv2d(widths[0], 2, 1)

    def forward(self, x):
        rows = [[self.down[0](x)]]
        for layer in self.down[1:]:
            rows.append([layer(functional.max_pool2d(rows[-1][0], 2))])
        for step in range(1, self.levels):
            for level in range(self.levels - step):
                below = functional.interpolate(rows[level + 1][step - 1], scale_factor=2.0, mode="bilinear", align_corners=True)
                rows[level].append(self.up[f"{level}_{step}"](torch.cat([*rows[level][:step], below], 1)))
        return self.last(rows[0][-1])


NETWORKS = {
    "head of 4": (lambda: Head(4, nn.Identity), (1, 256, 50, 68)),
    "head of 4, group norm": (lambda: Head(4, lambda: nn.GroupNorm(32, 256)), (1, 256, 50, 68)),
    "head of 8, batch norm": (lambda: Head(8, lambda: nn.BatchNorm2d(256)), (1, 256, 50, 68)),
    "UNet++": (NestedUNet, (1, 3, 128, 128)),
}


def with_statistics(network, x):
    """Gives batch normalisations the statistics of a batch, so that numbers stay in range as in trained networks."""
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.momentum = None
    network.train()(torch.cat([x, x.flip(-1)]))
    return network.eval()


def errors(found, exact):
    difference = (found.astype(np.float64) - exact) / exact.std()
    return f"{np.abs(difference).max():.1e}, {np.sqrt((difference**2).mean()):.1e}"


def run(program, folder, method):
    files = ["--param", folder / "net.pnnx.param", "--bin", folder / "net.pnnx.bin", "--input", folder / "x.npy"]
    subprocess.run([program, "run", *files, "--convolution", method, "--output-dir", folder], check=True, capture_output=True)
    return np.load(folder / "out0.npy")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=pathlib.Path("build/bin/kuiper"))
    program = parser.parse_args().program.resolve()
    print(f"{'network':22} {'PyTorch':>16}", *(f"{method:>16}" for method in METHODS))
    for name, (make, shape) in NETWORKS.items():
        torch.manual_seed(11)
        with tempfile.TemporaryDirectory() as scratch, torch.no_grad():
            folder = pathlib.Path(scratch)
            x = torch.randn(shape).relu()
            network = with_statistics(make(), x)
            exact = copy.deepcopy(network).double()(x.double()).numpy()
            row = [errors(network(x).numpy(), exact)]
            np.save(folder / "x.npy", x.numpy())
            os.chdir(folder)
            pnnx.export(network, str(folder / "net.pt"), (x,))
            row += [errors(run(program, folder, method), exact) for method in METHODS]
            os.chdir("/")
        print(f"{name:22}", *(f"{cell:>16}" for cell in row), flush=True)


if __name__ == "__main__":
    sys.exit(main())
