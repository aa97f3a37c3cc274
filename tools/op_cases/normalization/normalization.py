# SPDX-License-Identifier: MIT
"""Cases: softmax, normalisation."""
import torch
import torch.nn.functional as F
from torch import nn

from ..case import add, fn

for dim in (0, 1, 2, 3, -1):
    fn(f"softmax_dim{dim}".replace("-", "m"), lambda x, dim=dim: F.softmax(x, dim=dim), (2, 3, 4, 17))
add("softmax_module", lambda: nn.Softmax(dim=1), (2, 5))
add("softmax2d", lambda: nn.Softmax2d(), (2, 5, 3, 4))
add("softmin", lambda: nn.Softmin(dim=1), (2, 5, 3))
fn("log_softmax", lambda x: F.log_softmax(x, dim=1), (2, 5, 3))
add("log_softmax_module", lambda: nn.LogSoftmax(dim=-1), (2, 5, 9))
add("batch_norm1d", lambda: nn.BatchNorm1d(5), (3, 5))
add("batch_norm1d_rank3", lambda: nn.BatchNorm1d(5), (3, 5, 7))
add("batch_norm2d", lambda: nn.BatchNorm2d(5), (2, 5, 4, 6))
add("batch_norm2d_no_affine", lambda: nn.BatchNorm2d(5, affine=False, eps=1e-2), (2, 5, 4, 6))
add("batch_norm3d", lambda: nn.BatchNorm3d(5), (2, 5, 2, 4, 6))
add("layer_norm", lambda: nn.LayerNorm(33), (2, 7, 33))
add("layer_norm_two_axes", lambda: nn.LayerNorm((4, 6), eps=1e-3), (2, 3, 4, 6))
add("layer_norm_no_affine", lambda: nn.LayerNorm(9, elementwise_affine=False), (2, 9))
add("group_norm", lambda: nn.GroupNorm(3, 6), (2, 6, 5, 4))
add("group_norm_no_affine", lambda: nn.GroupNorm(2, 6, affine=False), (2, 6, 5))
add("instance_norm2d", lambda: nn.InstanceNorm2d(4, eps=1e-2), (2, 4, 5, 6))
add("instance_norm2d_affine", lambda: nn.InstanceNorm2d(4, affine=True), (2, 4, 5, 6))
add("instance_norm2d_tracked", lambda: nn.InstanceNorm2d(4, affine=True, track_running_stats=True), (2, 4, 5, 6))
add("local_response_norm", lambda: nn.LocalResponseNorm(4), (2, 7, 5, 6))
add("rms_norm", lambda: nn.RMSNorm(16), (2, 3, 16))
fn("normalize", lambda x: F.normalize(x, dim=1), (2, 5, 7))
fn("normalize_p1", lambda x: F.normalize(x, p=1.0, dim=-1, eps=1e-3), (2, 5, 7))

for short, shape in {"rank1": (7,), "rank2": (3, 7), "rank3": (2, 3, 7), "rank5": (1, 2, 3, 2, 7), "long": (2, 300)}.items():
    for name in ("softmax", "log_softmax", "softmin"):
        fn(f"{name}_{short}", lambda x, name=name: getattr(F, name)(x, dim=-1), shape)
        fn(f"{name}_{short}_first", lambda x, name=name: getattr(F, name)(x, dim=0), shape)
fn("softmax_large", lambda x: F.softmax(x * 1000, dim=1), (2, 5))
fn("softmax_minus_inf", lambda x: F.softmax(x, dim=1), lambda: torch.tensor([[float("-inf"), 1.0, 2.0], [0.0, float("-inf"), float("-inf")]]))
for rank, shape in ((1, (3, 6, 5)), (2, (2, 6, 4, 5)), (3, (2, 6, 2, 4, 5))):
    add(f"batch_norm{rank}d_eps", lambda rank=rank: getattr(nn, f"BatchNorm{rank}d")(6, eps=1e-3), shape)
    add(f"batch_norm{rank}d_plain", lambda rank=rank: getattr(nn, f"BatchNorm{rank}d")(6, affine=False), shape)
    add(f"instance_norm{rank}d_plain", lambda rank=rank: getattr(nn, f"InstanceNorm{rank}d")(6), shape)
    add(f"instance_norm{rank}d_affine_only", lambda rank=rank: getattr(nn, f"InstanceNorm{rank}d")(6, affine=True), shape)
    add(f"instance_norm{rank}d_all", lambda rank=rank: getattr(nn, f"InstanceNorm{rank}d")(6, affine=True, track_running_stats=True), shape)
    for groups in (1, 2, 6):
        add(f"group_norm{rank}d_{groups}", lambda groups=groups: nn.GroupNorm(groups, 6, eps=1e-3), shape)
add("group_norm_rank2", lambda: nn.GroupNorm(2, 6), (3, 6))
for axes in (1, 2, 3):
    add(f"layer_norm_{axes}", lambda axes=axes: nn.LayerNorm((3, 4, 5)[-axes:]), (2, 3, 4, 5))
    add(f"rms_norm_{axes}", lambda axes=axes: nn.RMSNorm((3, 4, 5)[-axes:], eps=1e-5), (2, 3, 4, 5))
add("rms_norm_plain", lambda: nn.RMSNorm(5, elementwise_affine=False), (2, 3, 5))
fn("layer_norm_functional", lambda x, w, b: F.layer_norm(x, (5,), w, b), (2, 3, 5), (5,), (5,))
fn("layer_norm_functional_plain", lambda x: F.layer_norm(x, (3, 5), eps=1e-3), (2, 3, 5))
fn("group_norm_functional", lambda x, w, b: F.group_norm(x, 2, w, b), (2, 4, 5), (4,), (4,))
fn("batch_norm_functional", lambda x, m, v, w, b: F.batch_norm(x, m, v, w, b), (2, 4, 5), (4,), ("pos", (4,)), (4,), (4,))
fn("batch_norm_functional_plain", lambda x, m, v: F.batch_norm(x, m, v, eps=0.1), (2, 4, 5), (4,), ("pos", (4,)))
fn("instance_norm_functional", lambda x: F.instance_norm(x), (2, 4, 5))
fn("rms_norm_functional", lambda x, w: F.rms_norm(x, (5,), w), (2, 3, 5), (5,))
for size in (1, 2, 3, 5):
    add(f"local_response_norm_{size}", lambda size=size: nn.LocalResponseNorm(size, 0.01, 0.5, 2.0), (2, 7, 5, 6))
add("local_response_norm_rank3", lambda: nn.LocalResponseNorm(3), (2, 7, 5))
fn("local_response_norm_functional", lambda x: F.local_response_norm(x, 3), (2, 7, 4, 5))
for p in (1.0, 2.0, 3.0, float("inf")):
    for dim in (0, 1, -1):
        fn(f"normalize_{p}_{dim}".replace("-", "m").replace(".", "_"), lambda x, p=p, dim=dim: F.normalize(x, p, dim), (3, 4, 5))
