# SPDX-License-Identifier: MIT
"""Cases: reductions."""
import torch
import torch.nn.functional as F

from .case import fn

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
