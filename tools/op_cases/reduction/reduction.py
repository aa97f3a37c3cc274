# SPDX-License-Identifier: MIT
"""Cases: reductions."""
import torch
import torch.nn.functional as F

from ..case import fn
from ..matrices import complex_of

for name in ("mean", "sum", "amax", "amin", "logsumexp"):
    fn(f"{name}_dims", lambda x, name=name: getattr(torch, name)(x, (2, 3)), (2, 3, 4, 5))
    fn(f"{name}_keepdim", lambda x, name=name: getattr(torch, name)(x, 1, keepdim=True), (2, 3, 4, 5))
fn("mean_all", lambda x: torch.mean(x), (2, 3, 4))
fn("sum_all", lambda x: torch.sum(x), (2, 3, 4))
fn("max_dim", lambda x: torch.max(x, 1), (2, 5, 4))
fn("max_dim_values", lambda x: torch.max(x, 2, keepdim=True)[0], (2, 5, 4))
fn("max_all", lambda x: torch.max(x), (2, 5, 4))
fn("min_dim", lambda x: torch.min(x, -1), (2, 5, 4))
fn("argmax", lambda x: torch.argmax(x, 1), (2, 5, 4))
fn("argmax_all", lambda x: torch.argmax(x), (2, 5, 4))
fn("argmin_keepdim", lambda x: torch.argmin(x, 1, keepdim=True), (2, 5, 4))
fn("prod", lambda x: torch.prod(x, 1), (2, 5, 4))
fn("var", lambda x: torch.var(x, 1), (2, 5, 4))
fn("std_biased", lambda x: torch.std(x, (1, 2), unbiased=False), (2, 5, 4))
fn("norm", lambda x: torch.norm(x, p=2, dim=1), (2, 5, 4))
fn("cumsum", lambda x: torch.cumsum(x, 1), (2, 5, 4))
fn("topk", lambda x: torch.topk(x, 3, dim=1), (2, 7, 4))
fn("pairwise_distance", lambda x, y: F.pairwise_distance(x, y), (3, 8), (3, 8))

DIMS = {"0": 0, "last": -1, "middle": 1, "pair": (0, 2), "negative_pair": (-1, -3), "all_listed": (0, 1, 2)}
for short, dims in DIMS.items():
    for keep in (False, True):
        for name in ("sum", "mean", "amax", "amin", "logsumexp", "std", "var"):
            fn(f"{name}_{short}_{int(keep)}", lambda x, name=name, dims=dims, keep=keep: getattr(torch, name)(x, dims, keepdim=keep), (3, 4, 5))
        if isinstance(dims, int):
            for name in ("max", "min", "argmax", "argmin", "prod", "all", "any"):
                fn(f"{name}_{short}_{int(keep)}", lambda x, name=name, dims=dims, keep=keep: getattr(torch, name)(x > 0 if name in ("all", "any") else x, dims, keepdim=keep), (3, 4, 5))
for name in ("sum", "mean", "prod", "amax", "amin", "std", "var", "argmax", "argmin", "max", "min", "norm"):
    fn(f"{name}_everything", lambda x, name=name: getattr(torch, name)(x), (3, 4))
    fn(f"{name}_rank1", lambda x, name=name: getattr(torch, name)(x), (7,))
for p in (0, 1, 2, 3, 0.5, float("inf"), float("-inf"), "fro"):
    fn(f"norm_{p}".replace("-", "m").replace(".", "_"), lambda x, p=p: torch.norm(x, p=p, dim=1), (3, 5))
fn("norm_pair_keep", lambda x: torch.norm(x, dim=(1, 2), keepdim=True), (2, 3, 5))
fn("var_correction", lambda x: torch.var(x, dim=1, correction=2), (3, 5))
fn("std_mean", lambda x: torch.std_mean(x, 1), (3, 5))
fn("var_mean", lambda x: torch.var_mean(x, (0, 1), keepdim=True), (3, 5))
fn("mean_of_int", lambda x: torch.mean(x, 1, dtype=torch.float32), ("int", (3, 5), 9))
fn("sum_empty", lambda x: torch.sum(x, 1), (3, 0))
fn("mean_rank5", lambda x: torch.mean(x, (1, 3)), (2, 3, 2, 3, 2))
fn("sum_transposed", lambda x: torch.sum(x.transpose(0, 2), 1), (3, 4, 5))
fn("max_of_two", lambda x, y: torch.max(x, y), (3, 5), (5,))
fn("min_of_two", lambda x, y: torch.min(x, y), (3, 5), (3, 1))
for name in ("cumsum", "cumprod", "logcumsumexp"):
    for dim in (0, 1, -1):
        fn(f"{name}_dim{dim}".replace("-", "m"), lambda x, name=name, dim=dim: getattr(torch, name)(x, dim), (3, 4, 2))
for name in ("cummax", "cummin"):
    fn(name, lambda x, name=name: getattr(torch, name)(x, 1), (3, 6))
fn("count_nonzero", lambda x: torch.count_nonzero(x, 1), ("int", (3, 6), 2))
fn("aminmax", lambda x: torch.aminmax(x, dim=1), (3, 6))
fn("nansum", lambda x: torch.nansum(x, 1), lambda: torch.tensor([[1.0, float("nan"), 2], [3, 4, float("nan")]]))
fn("max_nan", lambda x: torch.max(x, 1), lambda: torch.tensor([[1.0, float("nan"), 2], [3, 4, 5]]))
fn("logsumexp_inf", lambda x: torch.logsumexp(x, 1), lambda: torch.tensor([[float("-inf")] * 2, [1.0, float("-inf")]]))

for short, dims in (("last", -1), ("pair", (0, 2)), ("all", (0, 1, 2))):
    for name in ("mean", "std", "var"):
        fn(f"complex_{name}_{short}", lambda x, name=name, dims=dims: getattr(torch, name)(x, dims), complex_of(3, 4, 5))
    fn(f"complex_norm_{short}", lambda x, dims=dims: torch.linalg.vector_norm(x, dim=dims), complex_of(3, 4, 5))
fn("complex_mean_everything", lambda x: torch.mean(x), complex_of(3, 4))
fn("complex_var_biased", lambda x: torch.var(x, 1, unbiased=False, keepdim=True), complex_of(3, 4))
fn("complex_var_mean", lambda x: torch.var_mean(x, 1), complex_of(3, 4))
fn("complex_std_mean", lambda x: torch.std_mean(x, (0, 1), keepdim=True), complex_of(3, 4))
for p in (0, 1, 3, float("inf"), "fro"):
    fn(f"complex_norm_{p}", lambda x, p=p: torch.norm(x, p=p, dim=1), complex_of(3, 5))
fn("complex_norm_everything", lambda x: torch.norm(x), complex_of(3, 5))
fn("complex_cumsum", lambda x: torch.cumsum(x, 1), complex_of(2, 5, 4))
fn("complex_cumsum_negative", lambda x: torch.cumsum(x, -1), complex_of(2, 5))
for name in ("prod", "cumprod"):
    fn(f"complex_{name}", lambda x, name=name: getattr(torch, name)(x, 1), complex_of(2, 5, 4))
    fn(f"complex_{name}_complex128", lambda x, name=name: getattr(torch, name)(x, -1), lambda: complex_of(2, 5)().to(torch.complex128))
fn("complex_prod_keepdim", lambda x: torch.prod(x, 0, keepdim=True), complex_of(3, 4))
fn("complex_prod_everything", lambda x: torch.prod(x), complex_of(3, 4))
for name in ("all", "any", "count_nonzero"):
    fn(f"complex_{name}", lambda x, name=name: getattr(torch, name)(x * (x.real > 0), 1), complex_of(3, 4))
    fn(f"complex_{name}_everything", lambda x, name=name: getattr(torch, name)(x * (x.real > 0)), complex_of(3, 4))
fn("complex_trace", lambda x: torch.trace(x), complex_of(3, 4))
