# SPDX-License-Identifier: MIT
"""Small models, written as the text and the archive that the engine reads. They have no weights."""

from __future__ import annotations

import zipfile
from pathlib import Path

# y = 2 x + 1: rows are independent, and each element tells its request.
AFFINE = """7767517
3 2
pnnx.Input x 0 1 0 #0=(1,3)f32
pnnx.Expression affine 1 1 0 1 expr=add(mul(@0,2.0),1.0) #0=(1,3)f32 #1=(1,3)f32
pnnx.Output y 1 0 1 #1=(1,3)f32
"""

# Another model in AFFINE's place: y = 4 x + 1.
STEEPER = AFFINE.replace("2.0", "4.0")

# Each row becomes its distance from the mean over all rows. The shapes look as if rows were independent.
CENTRED = """7767517
4 3
pnnx.Input x 0 1 0 #0=(1,3)f32
torch.mean mean 1 1 0 1 dim=(0) keepdim=True $input=0 #0=(1,3)f32 #1=(1,3)f32
pnnx.Expression centre 2 1 0 1 2 expr=sub(@0,@1) #0=(1,3)f32 #1=(1,3)f32 #2=(1,3)f32
pnnx.Output y 1 0 2 #2=(1,3)f32
"""

# The number of rows is written into a reshape.
FIXED = """7767517
3 2
pnnx.Input x 0 1 0 #0=(1,4)f32
torch.reshape two 1 1 0 1 shape=(1,2,2) $input=0 #0=(1,4)f32 #1=(1,2,2)f32
pnnx.Output y 1 0 1 #1=(1,2,2)f32
"""

# Two inputs of different types, two outputs.
PAIR = """7767517
6 4
pnnx.Input a 0 1 0 #0=(1,2)f32
pnnx.Input b 0 1 1 #1=(1,2)i64
pnnx.Expression sum 1 1 0 2 expr=add(@0,1.0) #0=(1,2)f32 #2=(1,2)f32
pnnx.Expression double 1 1 1 3 expr=mul(@0,2) #1=(1,2)i64 #3=(1,2)i64
pnnx.Output more 1 0 2 #2=(1,2)f32
pnnx.Output twice 1 0 3 #3=(1,2)i64
"""

# A picture of 8 x 8 becomes the mean of each colour: the best class is the colour that a picture has most of.
COLOURS = """7767517
3 2
pnnx.Input picture 0 1 0 #0=(1,3,8,8)f32
torch.mean colours 1 1 0 1 dim=(2,3) keepdim=False $input=0 #0=(1,3,8,8)f32 #1=(1,3)f32
pnnx.Output scores 1 0 1 #1=(1,3)f32
"""


def slow(products: int = 300, size: int = 384, expanded: bool = False) -> str:
    """A model that takes some tenths of a second: products of matrices. Its output is x at the end.

    `expanded`: its input is one number, of which it makes the matrix.
    """
    matrix = f"({size},{size})f32"
    lines = [f"pnnx.Input x 0 1 0 #0={matrix}"]
    last = 0
    if expanded:
        lines = ["pnnx.Input x 0 1 0 #0=(1,1)f32"]
        lines.append(f"Tensor.expand wide 1 1 0 1 shape=({size},{size}) $input=0 #0=(1,1)f32 #1={matrix}")
        last = 1
    x = last
    lines.append(f"pnnx.Expression small 1 1 {x} {x + 1} expr=mul(@0,0.0) #{x}={matrix} #{x + 1}={matrix}")
    last += 1
    for number in range(products):
        lines.append(f"torch.matmul product{number} 2 1 {last} {x} {last + 1} #{last}={matrix} #{last + 1}={matrix}")
        last += 1
    lines.append(f"pnnx.Expression add 2 1 {x} {last} {last + 1} expr=add(@0,@1) #{last + 1}={matrix}")
    lines.append(f"pnnx.Output y 1 0 {last + 1} #{last + 1}={matrix}")
    return f"7767517\n{len(lines)} {last + 2}\n" + "\n".join(lines) + "\n"


def write(folder: Path, text: str, config: str = "") -> Path:
    """Writes a version of a model into `folder`, as one step for whoever looks at the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / "model.pnnx.bin", "w"):
        pass
    if config:
        (folder / "config.toml").write_text(config)
    part = folder / ".param.part"
    part.write_text(text)
    part.rename(folder / "model.pnnx.param")
    return folder / "model.pnnx.param"
