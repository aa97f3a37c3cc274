# SPDX-License-Identifier: MIT
"""Cases: shape."""
import random

import torch
import torch.nn.functional as F

from ..case import fn, raw, written

fn("flatten", lambda x: torch.flatten(x, 1), (2, 3, 4, 5))
fn("flatten_middle", lambda x: torch.flatten(x, 1, 2), (2, 3, 4, 5))
fn("reshape", lambda x: x.reshape(2, -1, 5), (2, 3, 4, 5))
fn("reshape_after_permute", lambda x: x.permute(0, 2, 3, 1).reshape(2, 20, 3), (2, 3, 4, 5))
fn("view_split_axis", lambda x: x.view(2, 3, 2, 2, 5), (2, 3, 4, 5))
fn("permute_of_permute", lambda x: F.relu(x.permute(3, 0, 2, 1)), (2, 3, 4, 5))
fn("transpose_copy", lambda x: x.transpose(1, 2).contiguous() + 1, (2, 3, 4))
fn("t", lambda x: x.t() * 2, (3, 4))
raw("adjoint_complex", "aten::adjoint", lambda x: x.adjoint().resolve_conj().contiguous(), ("$0",), lambda: torch.complex(torch.randn(2, 3, 4), torch.randn(2, 3, 4)))
raw("mH_complex_f64", "aten::mH", lambda x: x.mH.resolve_conj().contiguous(), ("$0",), lambda: torch.complex(torch.randn(3, 4).double(), torch.randn(3, 4).double()))
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

for start, end in ((0, -1), (0, 1), (1, -1), (-2, -1), (1, 3), (2, 2)):
    fn(f"flatten_{start}_{end}".replace("-", "m"), lambda x, start=start, end=end: torch.flatten(x, start, end) + 1, (2, 3, 4, 5))
fn("flatten_rank0", lambda x: torch.flatten(x) + 1, ())
for a, b in ((0, 1), (0, -1), (1, 2), (-1, -2), (1, 1)):
    fn(f"transpose_{a}_{b}".replace("-", "m"), lambda x, a=a, b=b: torch.transpose(x, a, b) * 2, (2, 3, 4))
for dims in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 2, 3, 1), (3, 2, 1, 0), (1, 0, 3, 2), (-1, 0, 1, 2), (0, 3, 1, 2)):
    fn("permute_" + "_".join(map(str, dims)).replace("-", "m"), lambda x, dims=dims: x.permute(dims).contiguous(), (2, 3, 4, 5))
fn("permute_rank6", lambda x: x.permute(0, 2, 4, 1, 3, 5).reshape(2, 8, 18), (2, 3, 2, 3, 2, 4))
fn("permute_rank8", lambda x: x.permute(7, 6, 5, 4, 3, 2, 1, 0) + 0, (1, 2, 1, 2, 1, 2, 1, 2))
for dim in (0, 1, 2, -1, -3):
    fn(f"unsqueeze_{dim}".replace("-", "m"), lambda x, dim=dim: torch.unsqueeze(x, dim) + 1, (2, 3))
for dims in ((0,), (2,), (0, 2), (-1,), (1,)):
    fn("squeeze_" + "_".join(map(str, dims)).replace("-", "m"), lambda x, dims=dims: torch.squeeze(x, dims) + 1, (1, 3, 1, 4))
fn("squeeze_nothing", lambda x: torch.squeeze(x, 1) + 1, (2, 3))
for dim in (0, 1, 2, -1):
    short = str(dim).replace("-", "m")
    fn(f"stack_{short}", lambda x, y, dim=dim: torch.stack((x, y, x), dim), (2, 3), (2, 3))
    fn(f"cat_{short}", lambda x, y, dim=dim: torch.cat((x, y), dim), (2, 3, 4), (2, 3, 4))
    fn(f"chunk_{short}", lambda x, dim=dim: torch.chunk(x, 2, dim), (4, 5, 6))
    fn(f"split_{short}", lambda x, dim=dim: torch.split(x, 2, dim), (4, 5, 6))
    fn(f"tensor_split_{short}", lambda x, dim=dim: torch.tensor_split(x, 3, dim), (4, 5, 6))
    fn(f"unbind_{short}", lambda x, dim=dim: torch.unbind(x, dim), (2, 3, 4))
    fn(f"select_{short}", lambda x, dim=dim: torch.select(x, dim, 1) + 1, (2, 3, 4))
    fn(f"narrow_{short}", lambda x, dim=dim: torch.narrow(x, dim, 1, 1) + 1, (2, 3, 4))
    fn(f"flip_{short}", lambda x, dim=dim: torch.flip(x, (dim,)), (2, 3, 4))
    fn(f"roll_{short}", lambda x, dim=dim: torch.roll(x, 2, dim), (2, 3, 4))
    fn(f"repeat_interleave_{short}", lambda x, dim=dim: torch.repeat_interleave(x, 2, dim), (2, 3, 4))
fn("tensor_split_at", lambda x: torch.tensor_split(x, (1, 4), 1), (2, 6))
fn("repeat_interleave_flat", lambda x: torch.repeat_interleave(x, 3), (2, 3))
fn("repeat_interleave_counts", lambda x: torch.repeat_interleave(x, torch.tensor([1, 0, 2]), 1), (2, 3))
fn("roll_flat", lambda x: torch.roll(x, 5), (3, 4))
fn("roll_far", lambda x: torch.roll(x, (-7, 9), (0, 1)), (3, 4))
fn("flip_all", lambda x: torch.flip(x, (0, 1, 2)), (2, 3, 4))
fn("fliplr", torch.fliplr, (3, 4))
fn("flipud", torch.flipud, (3, 4))
fn("rot90", lambda x: torch.rot90(x, 1, (0, 1)), (3, 4))
fn("movedim", lambda x: torch.movedim(x, 0, 2) + 1, (2, 3, 4))
fn("cat_empty", lambda x, y: torch.cat((x, y), 1), (2, 0), (2, 3))
fn("cat_legacy_empty", lambda x, y: torch.cat((x, y), 1), (0,), (2, 3))
fn("cat_many", lambda x: torch.cat([x + i for i in range(6)], 1), (2, 3))
fn("cat_int_float", lambda x, y: torch.cat((x, y), 0), ("int", (2, 3), 5), (1, 3))
fn("hstack", lambda x, y: torch.hstack((x, y)), (2, 3), (2, 1))
fn("vstack", lambda x, y: torch.vstack((x, y)), (2, 3), (1, 3))
fn("hstack_rank1", lambda x, y: torch.hstack((x, y)), (2,), (3,))
fn("expand_minus1", lambda x: x.expand(-1, 4, -1) + 1, (2, 1, 3))
fn("expand_new_axis", lambda x: x.expand(5, 2, 3) + 1, (2, 3))
fn("expand_as", lambda x, y: x.expand_as(y) * y, (3, 1), (2, 3, 4))
fn("broadcast_to", lambda x: torch.broadcast_to(x, (2, 3, 4)) + 1, (3, 1))
fn("repeat_new_axis", lambda x: x.repeat(2, 2, 1), (2, 3))
fn("tile_short", lambda x: torch.tile(x, (2,)), (2, 3))
fn("tile_long", lambda x: torch.tile(x, (2, 1, 2)), (2, 3))
fn("reshape_minus1", lambda x: x.reshape(-1) * 2, (2, 3, 4))
fn("reshape_as", lambda x, y: x.reshape_as(y) + y, (2, 6), (3, 4))
fn("view_as", lambda x, y: x.view_as(y) + y, (2, 6), (3, 4))
fn("reshape_scalar", lambda x: x.reshape(()) + 1, (1, 1))
fn("reshape_empty", lambda x: x.reshape(0, 3) + 1, (3, 0))
fn("unflatten", lambda x: x.unflatten(1, (2, 3)) + 1, (2, 6))
fn("unflatten_minus1", lambda x: x.unflatten(-1, (-1, 2)) + 1, (2, 6))
fn("unfold", lambda x: x.unfold(1, 3, 2) + 1, (2, 9))
fn("unfold_overlap", lambda x: x.unfold(-1, 4, 1).sum(-1), (2, 3, 9))
fn("as_strided", lambda x: torch.as_strided(x, (2, 3), (3, 1)) + 1, (4, 3))
fn("swapaxes", lambda x: torch.swapaxes(x, 0, 1) + 1, (2, 3))
fn("mT", lambda x: x.mT + 1, (2, 3, 4))
fn("size_arithmetic", lambda x: x.reshape(x.shape[0], x.shape[1] * x.shape[2]) + 1, (2, 3, 4), other=[(3, 5, 2)])
fn("size_halved", lambda x: x[:, : x.shape[1] // 2] * 2, (2, 6), other=[(3, 9)])
fn("size_heads", lambda x: x.view(x.size(0), x.size(1), 2, x.size(2) // 2).transpose(1, 2) + 0, (2, 3, 4), other=[(1, 7, 4)])
fn("dynamic_flatten", lambda x: torch.flatten(x, 1) * 2, (2, 3, 4), other=[(5, 3, 4)])
fn("dynamic_cat", lambda x, y: torch.cat((x, y), 1), (2, 3), (2, 4), other=[(3, 2), (3, 9)])
fn("dynamic_chunk", lambda x: torch.chunk(x, 2, 0)[0] * 2, (4, 3), other=[(6, 3)])


# Selects and slices behind each other: the converter makes one operator of them.
def chained(*parts):
    """A part is (dim, index) or (dim, start, end, step)."""
    def choose(x):
        for dim, *bounds in parts:
            x = x.select(dim, bounds[0]) if len(bounds) == 1 else torch.ops.aten.slice(x, dim, *bounds)
        return x
    return choose


def random_chain(random, rank):
    extents = [random.randint(2, 4) for _ in range(rank)]
    shape, parts = tuple(extents), []
    for _ in range(random.randint(2, 4)):
        if len(extents) < 2:
            break
        dim = random.randint(-len(extents), len(extents) - 1)
        extent = extents[dim]
        if random.random() < 0.6:
            parts.append((dim, random.randint(-extent, extent - 1)))
            del extents[dim]
        else:
            start = random.randint(0, extent - 1)
            end = random.randint(start + 1, extent)
            step = random.randint(1, 3)
            parts.append((dim, random.choice((start, start - extent)), end, step))
            extents[dim] = (end - start + step - 1) // step
    return shape, parts


fn("select_middle_then_last", chained((1, 1), (-1, 2)), (3, 4, 5))
fn("select_first_then_last", chained((0, 1), (-1, 2)), (3, 4, 5))
fn("select_first_then_last_square", chained((0, 1), (-1, 2)), (3, 4, 4))
fn("select_two_then_last", lambda x: x[1, 2].select(-1, 0), (3, 4, 5))
fn("select_from_end_twice", chained((0, -2), (-1, 0)), (3, 4, 5))
fn("slice_one_axis_twice", chained((2, 1, 7, 1), (-1, 0, 6, 2)), (2, 3, 8))
for number in range(40):
    shape, parts = random_chain(random.Random(number), 2 + number % 5)
    fn(f"chain_{number}", chained(*parts), shape)
fn("dynamic_select_then_last", lambda x: x.select(1, x.size(1) - 3).select(-1, x.size(2) - 2) * 1, (3, 4, 5), other=[(4, 5, 6)])
fn("dynamic_select_then_slice", lambda x: x.select(1, x.size(1) - 3)[..., x.size(2) - 4:x.size(2) - 1] * 1, (3, 4, 5), other=[(4, 5, 6)])
fn("dynamic_select_last", lambda x: x.select(1, 1).select(-1, x.size(2) - 2) * 1, (3, 4, 5), other=[(4, 5, 6)])


def assign_chained(*parts):
    def assign(x, y):
        x = x.clone()
        chained(*parts)(x).copy_(y)
        return x * 1
    return assign


fn("assign_middle_then_last", assign_chained((1, 1), (-1, 2)), (3, 4, 5), (3,))
fn("assign_first_then_last", assign_chained((0, 1), (-1, 2)), (3, 4, 5), (4,))
fn("assign_first_then_last_one", assign_chained((0, 1), (-1, 2)), (3, 4, 5), (1,))
fn("assign_select_then_slice", assign_chained((1, 1), (-1, 1, 4, 2)), (3, 4, 5), (3, 2))
