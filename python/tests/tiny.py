# SPDX-License-Identifier: MIT
"""Small models, written as pnnx writes them."""

from __future__ import annotations

import io
import pathlib
import zipfile

import numpy as np


def archive(weights: dict[str, np.ndarray]) -> bytes:
    """The contents of a .bin file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as file:
        for name, array in weights.items():
            file.writestr(name, np.ascontiguousarray(array).tobytes())
    return buffer.getvalue()


def param(operators: list[str]) -> bytes:
    """The contents of a .param file of these lines."""
    operands: set[str] = set()
    for line in operators:
        words = line.split()
        inputs, outputs = int(words[2]), int(words[3])
        operands.update(words[4 : 4 + inputs + outputs])
    return "\n".join(["7767517", f"{len(operators)} {len(operands)}", *operators, ""]).encode()


def write(folder: pathlib.Path, operators: list[str], weights: dict[str, np.ndarray] | None = None) -> str:
    """Writes both files into the folder and gives the path of the first."""
    path = folder / "tiny.pnnx.param"
    path.write_bytes(param(operators))
    (folder / "tiny.pnnx.bin").write_bytes(archive(weights or {}))
    return str(path)


def identity(shape: str = "(1,3)f32") -> list[str]:
    """Gives its input."""
    return [f"pnnx.Input pnnx_input_0 0 1 x #x={shape}", "pnnx.Output pnnx_output_0 1 0 x"]


def linear() -> list[str]:
    """x @ W.T for a weight "line.weight" of (4,3)."""
    return [
        "pnnx.Input pnnx_input_0 0 1 x #x=(2,3)f32",
        "nn.Linear line 1 1 x y bias=False in_features=3 out_features=4 @weight=(4,3)f32 #x=(2,3)f32 #y=(2,4)f32",
        "pnnx.Output pnnx_output_0 1 0 y",
    ]


def sum_and_difference() -> list[str]:
    """(a + b, a - b)."""
    return [
        "pnnx.Input pnnx_input_0 0 1 a #a=(2,3)f32",
        "pnnx.Input pnnx_input_1 0 1 b #b=(2,3)f32",
        "pnnx.Expression plus 2 1 a b s expr=add(@0,@1)",
        "pnnx.Expression minus 2 1 a b d expr=sub(@0,@1)",
        "prim::TupleConstruct pair 2 1 s d both",
        "pnnx.Output pnnx_output_0 1 0 both",
    ]


def mean_of_products() -> list[str]:
    """(a @ b).mean() for 256 small matrices in float64."""
    return [
        "pnnx.Input pnnx_input_0 0 1 a #a=(256,24,24)f64",
        "pnnx.Input pnnx_input_1 0 1 b #b=(256,24,24)f64",
        "torch.matmul product 2 1 a b p #p=(256,24,24)f64",
        "torch.mean mean 1 1 p m dim=(0,1,2) keepdim=False #m=()f64",
        "pnnx.Output pnnx_output_0 1 0 m",
    ]


def doubled() -> list[str]:
    """2 x by an operator "net.Double", which `double_module` registers."""
    return [
        "pnnx.Input pnnx_input_0 0 1 x #x=(1,3)f32",
        "net.Double double 1 1 x y #x=(1,3)f32 #y=(1,3)f32",
        "pnnx.Output pnnx_output_0 1 0 y",
    ]


def double_module(folder: pathlib.Path) -> str:
    """Writes a module that registers "net.Double" into the folder and gives its name."""
    text = 'import kuiper_infer\n\n\n@kuiper_infer.register("net.Double")\ndef double(x):\n    return 2 * x\n'
    (folder / "net_double.py").write_text(text)
    return "net_double"
