# SPDX-License-Identifier: MIT
"""Makes encoder.pnnx.param and .bin beside this file, and encoder.npz with what PyTorch gives for them; needs PyTorch
and pnnx. The model has a batch and a length that are free, and gives a tuple of two arrays."""

import sys
import tempfile
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[2]))

import kuiper_infer
from modules import Encoder

HERE = Path(__file__).parent


def inputs(batch, length):
    ids = torch.randint(0, 50, (batch, length))
    mask = torch.ones_like(ids)
    mask[-1, length // 2 :] = 0
    return ids, mask, torch.randint(0, 2, (batch, length))


torch.manual_seed(0)
module = Encoder().eval()
with tempfile.TemporaryDirectory() as folder:
    kuiper_infer.export(module, inputs(1, 7), Path(folder) / "encoder", args2=inputs(2, 9))
    for end in ("param", "bin"):
        (HERE / f"encoder.pnnx.{end}").write_bytes((Path(folder) / f"encoder.pnnx.{end}").read_bytes())
with torch.no_grad():
    given = inputs(3, 5)
    hidden, pooled = module(*given)
names = ("ids", "mask", "kinds", "hidden", "pooled")
np.savez(HERE / "encoder.npz", **{n: a.numpy() for n, a in zip(names, (*given, hidden, pooled), strict=True)})
