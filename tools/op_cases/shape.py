# SPDX-License-Identifier: MIT
"""Cases: shape."""
import torch
import torch.nn.functional as F

from .case import fn, written

fn("flatten", lambda x: torch.flatten(x, 1), (2, 3, 4, 5))
fn("flatten_middle", lambda x: torch.flatten(x, 1, 2), (2, 3, 4, 5))
fn("reshape", lambda x: x.reshape(2, -1, 5), (2, 3, 4, 5))
fn("reshape_after_permute", lambda x: x.permute(0, 2, 3, 1).reshape(2, 20, 3), (2, 3, 4, 5))
fn("view_split_axis", lambda x: x.view(2, 3, 2, 2, 5), (2, 3, 4, 5))
fn("permute_of_permute", lambda x: F.relu(x.permute(3, 0, 2, 1)), (2, 3, 4, 5))
fn("transpose_copy", lambda x: x.transpose(1, 2).contiguous() + 1, (2, 3, 4))
fn("t", lambda x: x.t() * 2, (3, 4))
fn("squeeze_all", lambda x: torch.squeeze(x) + 0.5, (1, 3, 1, 4))
fn("squeeze_dim", lambda x: torch.squeeze(x, 2), (1, 3, 1, 4))
fn("unsqueeze", lambda x: torch.unsqueeze(x, -1), (3, 4))
fn("expand", lambda x: x.expand(2, 3, 4) + 1, (3, 1))
fn("cat_dim1", lambda x, y: torch.cat((x, y, x), 1), (2, 3, 4), (2, 1, 4))
fn("cat_negative", lambda x, y: torch.cat((x, y), -1), (2, 3, 4), (2, 3, 1))
fn("stack", lambda x, y: torch.stack((x, y), 1), (2, 3), (2, 3))
fn("split_sizes", lambda x: torch.split(x, (1, 2, 3), 1), (2, 6, 4))
fn("split_int", lambda x: torch.split(x, 4, 1), (2, 6, 4))
fn("chunk", lambda x: torch.chunk(x, 3, 1), (2, 7, 4))
fn("chunk_added", lambda x: sum(torch.chunk(x, 2, 1)), (2, 6, 4))
fn("unbind", lambda x: torch.unbind(x, 1), (2, 3, 4))
fn("select", lambda x: x[:, -1], (2, 3, 4))
fn("slice", lambda x: x[:, 1:], (2, 5, 4))
fn("slice_many", lambda x: x[:, :2, 1:14:2, 1:-1], (2, 3, 15, 6))
fn("slice_select", lambda x: x[:, 1, 2:, ..., 0], (2, 3, 5, 6))
fn("flip", lambda x: torch.flip(x, (1, 2)), (2, 3, 4))
fn("roll", lambda x: torch.roll(x, (1, -2), (1, 2)), (2, 3, 5))
fn("repeat", lambda x: x.repeat(2, 1, 3), (2, 3))
fn("tile", lambda x: torch.tile(x, (2, 2)), (2, 3, 4))
fn("narrow", lambda x: torch.narrow(x, 1, 1, 2), (2, 4, 3))
fn("input_is_output", lambda x: (x, x * 2), (2, 3))
written("reshape_named_by_pattern", """
    pnnx.Input pnnx_input_0 0 1 0 #0=(1,1,3,4)f32
    Tensor.reshape attn_ht_0_0 1 1 0 1 shape=(3,4) $mask=0 #0=(1,1,3,4)f32 #1=(3,4)f32
    pnnx.Output pnnx_output_0 1 0 1
""", lambda x: x.reshape(3, 4), (1, 1, 3, 4))
