# SPDX-License-Identifier: MIT
"""Cases: PyTorch's own operators with their arguments by names, without those that have their default. Overloads differ in
their names."""
import torch
import torch.nn.functional as F

from ..case import written


def named(name, call, function, *specs):
    """A case from one operator: its line behind the inputs a, b, ..., without its name and the numbers of operands."""
    type, *rest = call.split()
    operands = [field for field in rest if not field.startswith("$") and "=" not in field]
    lines = [f"pnnx.Input pnnx_input_{k} 0 1 {letter}" for k, letter in zip(range(len(specs)), "abcdef")]
    lines.append(" ".join([type, "op", str(len(operands)), "1", *operands, "y", *[field for field in rest if field not in operands]]))
    written(name, "\n".join([*lines, "pnnx.Output out 1 0 y"]), function, *specs)


for reduction in ("var", "std"):
    named(f"{reduction}_correction", f"aten::{reduction} a $self=a correction=0", lambda x, r=reduction: getattr(torch, r)(x, correction=0), (3, 5))
    named(f"{reduction}_axes", f"aten::{reduction} a $self=a dim=(1) correction=2", lambda x, r=reduction: getattr(torch, r)(x, dim=1, correction=2), (3, 5))
    named(f"{reduction}_kept", f"aten::{reduction} a $self=a dim=(0) keepdim=True", lambda x, r=reduction: getattr(torch, r)(x, dim=0, keepdim=True), (3, 5))
named("prod_axis", "aten::prod a $self=a dim=0", lambda x: torch.prod(x, 0), (3, 5))
named("index_two", "aten::index a b c $self=a $indices=b $indices=c", lambda x, i, j: x[i, j], (4, 5), ("int", (3,), 4), ("int", (3,), 5))
named("index_put_two", "aten::index_put a b c d $self=a $indices=b $indices=c $values=d", lambda x, i, j, v: torch.index_put(x, (i, j), v),
      (4, 5), lambda: torch.tensor([0, 2, 3]), lambda: torch.tensor([1, 4, 0]), (3,))
named("fill_bool", "aten::fill a $self=a value=True", lambda x: torch.full_like(x, 1), ("bool", (3,)))
named("arange_end", "aten::arange end=5", lambda: torch.arange(5))
named("arange_start", "aten::arange start=2 end=9 step=3 dtype=torch.float", lambda: torch.arange(2, 9, 3, dtype=torch.float32))
named("eye_columns", "aten::eye n=2 m=3", lambda: torch.eye(2, 3))
named("nearest_scale", "aten::upsample_nearest2d a $self=a output_size=(5,7) scales_h=1.3 scales_w=1.9", lambda x: torch.ops.aten.upsample_nearest2d(x, (5, 7), 1.3, 1.9), (1, 2, 4, 4))
named("nearest_factors", "aten::upsample_nearest2d a $input=a output_size=None scale_factors=(2.0,1.5)", lambda x: F.interpolate(x, scale_factor=(2.0, 1.5)), (1, 2, 4, 4))
