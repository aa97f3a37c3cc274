# SPDX-License-Identifier: MIT
"""Cases: different elements and slices."""
import torch

from ..case import fn, raw

NAN = float("nan")


def rows():
    return torch.tensor([[2.0, 1.0], [0.0, 3.0], [2.0, 1.0], [2.0, 1.0], [0.0, -3.0], [0.0, 3.0]])


def with_nan():
    return torch.tensor([[1.0, NAN, 0.0], [0.0, 1.0, NAN], [-2.0, -0.0, 1.0]])


kinds = {"float": lambda: torch.randint(-3, 4, (4, 5)).float(), "double": lambda: torch.randint(-3, 4, (4, 5)).double(),
         "half": lambda: torch.randint(-3, 4, (4, 5)).half(), "int": ("signed", (4, 5), 4),
         "int8": (torch.int8, ("signed", (4, 5), 4)), "bool": ("bool", (4, 5)), "nan": with_nan, "rank0": ()}
for name, spec in kinds.items():
    fn(f"all_{name}", lambda x: torch.unique(x, return_inverse=True, return_counts=True), spec)
    fn(f"consecutive_{name}", lambda x: torch.unique_consecutive(x, return_inverse=True, return_counts=True), spec)
fn("values", lambda x: torch.unique(x) * 1, kinds["float"])
fn("unsorted", lambda x: torch.unique(x, sorted=False, return_counts=True), kinds["float"])
fn("inverse", lambda x: torch.unique(x, return_inverse=True), kinds["float"])
fn("inverse_alone", lambda x: torch.unique(x, return_inverse=True)[1] * 1, kinds["float"])
fn("counts_alone", lambda x: torch.unique(x, return_counts=True)[1] * 1, kinds["float"])
fn("method", lambda x: x.unique() + 1, kinds["float"])
fn("of_transposed", lambda x: torch.unique(x.t(), return_inverse=True), kinds["float"])
fn("nothing", lambda x: torch.unique(x, return_inverse=True, return_counts=True), (0, 3))
fn("consecutive_values", lambda x: torch.unique_consecutive(x) * 1, kinds["float"])
for dim in (0, 1, -1):
    short = str(dim).replace("-", "m")
    fn(f"dim_{short}", lambda x, dim=dim: torch.unique(x, dim=dim, return_inverse=True, return_counts=True), rows)
    fn(f"dim_{short}_values", lambda x, dim=dim: torch.unique(x, dim=dim) * 1, rows)
    fn(f"dim_{short}_consecutive", lambda x, dim=dim: torch.unique_consecutive(x, dim=dim, return_inverse=True, return_counts=True), rows)
fn("dim_middle", lambda x: torch.unique(x, dim=1, return_inverse=True), lambda: torch.randint(0, 2, (2, 6, 2)).float())
fn("dim_middle_int", lambda x: torch.unique(x, dim=1, return_inverse=True), ("int", (1, 9, 3), 2))
fn("dim_nan", lambda x: torch.unique(x, dim=0, return_inverse=True), with_nan)
raw("raw_unique", "aten::_unique", lambda x: torch.ops.aten._unique(x, True, True), ("$0", True, True), kinds["float"], outputs=2)
raw("raw_dim_consecutive", "aten::unique_dim_consecutive", lambda x: torch.ops.aten.unique_dim_consecutive(x, 0, True, True), ("$0", 0, True, True), rows, outputs=3)
