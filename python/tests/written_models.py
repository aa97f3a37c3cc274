# SPDX-License-Identifier: MIT
"""Models that tests write themselves: the converter's two files from lines of text and arrays."""

import pathlib
import zipfile

import numpy as np

WAVE = """\
pnnx.Input in 0 1 0 #0=(2,3)f32
net.Wave wave 1 1 0 1 @amplitude=(3)f32 @frequency=(1)f32 #0=(2,3)f32 #1=(2,3)f32
nn.ReLU relu 1 1 1 2 #1=(2,3)f32 #2=(2,3)f32
pnnx.Output out 1 0 2 #2=(2,3)f32"""  # an operator that only a plugin has

MEAN_OF_PRODUCTS = """\
pnnx.Input a 0 1 0 #0=(256,24,24)f64
pnnx.Input b 0 1 1 #1=(256,24,24)f64
torch.matmul product 2 1 0 1 2 #0=(256,24,24)f64 #1=(256,24,24)f64 #2=(256,24,24)f64
torch.mean mean 1 1 2 3 dim=(0,1,2) keepdim=False #2=(256,24,24)f64 #3=()f64
pnnx.Output out 1 0 3 #3=()f64"""  # many small products of OpenBLAS's

SINGULAR_VALUES = """\
pnnx.Input a 0 1 0 #0=(30,20)f64
torch.linalg.svdvals values 1 1 0 1 #0=(30,20)f64 #1=(20)f64
pnnx.Output out 1 0 1 #1=(20)f64"""

CONVOLUTION = """\
pnnx.Input in 0 1 0 #0=(1,8,96,96)f32
nn.Conv2d conv 1 1 0 1 bias=False dilation=(1,1) groups=1 in_channels=8 kernel_size=(3,3) out_channels=32 \
padding=(1,1) padding_mode=zeros stride=(1,1) @weight=(32,8,3,3)f32 #0=(1,8,96,96)f32 #1=(1,32,96,96)f32
pnnx.Output out 1 0 1 #1=(1,32,96,96)f32"""  # work for several threads


def write_model(folder: pathlib.Path, graph: str, **weights: np.ndarray) -> pathlib.Path:
    """Writes model.pnnx.param and .bin into `folder`; `weights` by operator and name, as conv__weight. Gives the first."""
    lines = graph.splitlines()
    operands = sum(int(line.split()[3]) for line in lines)
    param = folder / "model.pnnx.param"
    param.write_text("\n".join(["7767517", f"{len(lines)} {operands}", *lines, ""]))
    with zipfile.ZipFile(folder / "model.pnnx.bin", "w") as archive:
        for name, array in weights.items():
            archive.writestr(name.replace("__", "."), array.tobytes())
    return param
