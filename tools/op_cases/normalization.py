# SPDX-License-Identifier: MIT
"""Cases: softmax, normalisation."""
import torch.nn.functional as F
from torch import nn

from .case import add, fn

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
