# SPDX-License-Identifier: MIT
"""Cases: indexing, gathering, scattering, sorting."""
import torch

from ..case import fn

I64, F64 = torch.int64, torch.float64

# Basic and advanced indexing.
fn("index_one", lambda x, i: x[i], (5, 4), ("int", (3,), 5))
fn("index_two", lambda x, i, j: x[i, j], (5, 4, 3), ("int", (6,), 5), ("int", (6,), 4))
fn("index_broadcast", lambda x, i, j: x[i, j], (5, 4, 3), ("int", (6, 1), 5), ("int", (2,), 4))
fn("index_second_axis", lambda x, i: x[:, i], (5, 4, 3), ("int", (6,), 4))
fn("index_last_axis", lambda x, i: x[..., i], (5, 4, 3), ("int", (2, 2), 3))
fn("index_split_axes", lambda x, i, j: x[i, :, j], (5, 4, 3), ("int", (6,), 5), ("int", (6,), 3))
fn("index_slice_between", lambda x, i, j: x[i, 1:3, j], (5, 4, 3), ("int", (6,), 5), ("int", (6,), 3))
fn("index_none", lambda x, i: x[None, i], (5, 4), ("int", (3,), 5))
fn("index_negative", lambda x, i: x[i - 5], (5, 4), ("int", (3,), 5))
fn("index_mask", lambda x, m: x[m], (5, 4), ("bool", (5, 4)))
fn("index_mask_rows", lambda x, m: x[m], (5, 4), ("bool", (5,)))
fn("index_mask_second", lambda x, m: x[:, m], (5, 4), ("bool", (4,)))
fn("index_compare", lambda x: x[x > 0], (5, 4))
fn("index_constant", lambda x: x[[0, 2, 1]], (5, 4))
fn("index_constant_pairs", lambda x: x[[0, 2, 1], [1, 1, 0]], (5, 4))
fn("index_int64", lambda x, i: x[i], ("signed", (5, 4), 50), ("int", (3,), 5))
fn("index_bool_values", lambda x, i: x[i], ("bool", (5, 4)), ("int", (3,), 5))
fn("index_float64", lambda x, i: x[i], (F64, (5, 4)), ("int", (3,), 5))
fn("index_rank1", lambda x, i: x[i], (5,), ("int", (2, 3), 5))
fn("index_empty", lambda x, i: x[i], (5, 4), ("int", (0,), 5))
fn("index_steps", lambda x: x[::2, 1::2], (7, 8))
fn("index_ellipsis", lambda x: x[..., 1:], (2, 3, 4))
fn("index_int_and_slice", lambda x: x[1, :, -2], (2, 3, 4))
fn("index_beyond", lambda x: x[:, 2:100], (2, 5))
fn("index_nothing", lambda x: x[:, 3:3], (2, 5))
fn("index_last", lambda x: x[-1], (4, 5))

# Assignment.
def put(x, i, y):
    x = x.clone()
    x[i] = y
    return x


def put_accumulate(x, i, y):
    return x.index_put((i,), y, accumulate=True)


fn("put_rows", put, (5, 4), lambda: torch.tensor([3, 1]), (2, 4))
fn("put_broadcast", put, (5, 4), lambda: torch.tensor([3, 1]), (4,))
fn("put_accumulate", put_accumulate, (5, 4), ("int", (6,), 5), (6, 4))
fn("put_two", lambda x, i, j, y: x.index_put((i, j), y), (5, 4), lambda: torch.tensor([3, 1]), lambda: torch.tensor([0, 2]), (2,))


def assign_slice(x, y):
    x = x.clone()
    x[:, 1:3] = y
    return x


def assign_column(x, y):
    x = x.clone()
    x[..., 0] = y
    return x


def assign_number(x):
    x = x.clone()
    x[:, ::2] = 0.5
    return x


def add_in_place(x, y):
    x = x.clone()
    x[:, 1] += y
    return x


fn("assign_slice", assign_slice, (3, 5), (3, 2))
fn("assign_slice_broadcast", assign_slice, (3, 5), (3, 1))
fn("assign_column", assign_column, (2, 3, 4), (2, 3))
fn("assign_number", assign_number, (3, 5))
fn("assign_added", add_in_place, (3, 5), (3,))

# Gather and its kind.
for dim in (0, 1, 2, -1):
    fn(f"gather_dim{dim}".replace("-", "m"), lambda x, i, dim=dim: torch.gather(x, dim, i), (3, 4, 5), ("int", (2, 3, 2), 2))
    fn(f"index_select_dim{dim}".replace("-", "m"), lambda x, i, dim=dim: torch.index_select(x, dim, i), (3, 4, 5), ("int", (4,), 3))
fn("gather_int", lambda x, i: torch.gather(x, 1, i), ("signed", (3, 4), 9), ("int", (3, 2), 4))
fn("gather_smaller", lambda x, i: torch.gather(x, 0, i), (3, 4), ("int", (1, 2), 3))
fn("index_select_rank1", lambda x, i: torch.index_select(x, 0, i), (6,), ("int", (3,), 6))
fn("index_select_int32", lambda x, i: torch.index_select(x, 0, i), (6, 2), (torch.int32, ("int", (3,), 6)))
fn("take_along", lambda x, i: torch.take_along_dim(x, i, 1), (3, 4), ("int", (3, 2), 4))
fn("take", torch.take, (3, 4), ("int", (2, 2), 12))
fn("masked_select", torch.masked_select, (3, 4), ("bool", (3, 4)))
fn("masked_select_broadcast", torch.masked_select, (3, 4), ("bool", (4,)))
fn("masked_fill", lambda x, m: x.masked_fill(m, 7.0), (3, 4), ("bool", (3, 4)))
fn("masked_fill_broadcast", lambda x, m: x.masked_fill(m, float("-inf")), (2, 3, 4), ("bool", (3, 1)))
fn("masked_fill_int", lambda x, m: x.masked_fill(m, -3), ("signed", (3, 4), 9), ("bool", (4,)))
fn("masked_fill_compare", lambda x: x.masked_fill(x < 0, 0.0), (3, 4))
fn("where_broadcast", lambda c, x, y: torch.where(c, x, y), ("bool", (3, 1)), (4,), (2, 3, 1))
fn("where_int", lambda c, x: torch.where(c, x, 5), ("bool", (3, 4)), ("signed", (3, 4), 9))
fn("where_promote", lambda c, x, y: torch.where(c, x, y), ("bool", (3, 4)), ("signed", (3, 4), 9), (3, 4))
fn("nonzero", torch.nonzero, lambda: torch.tensor([[0.0, 1, 0], [2, 0, 3]]))
fn("where_positions", lambda x: torch.where(x > 0), (3, 4))
for name in ("scatter", "scatter_add"):
    fn(name, lambda x, i, y, name=name: getattr(torch, name)(x, 1, i, y), (3, 5), lambda: torch.tensor([[0, 3], [1, 2], [4, 0]]), (3, 2))
    fn(name + "_dim0", lambda x, i, y, name=name: getattr(torch, name)(x, 0, i, y), (5, 3), lambda: torch.tensor([[0, 3, 1], [1, 2, 4]]), (2, 3))
fn("scatter_value", lambda x, i: x.scatter(1, i, 2.5), (3, 5), lambda: torch.tensor([[0, 3], [1, 2], [4, 0]]))
fn("scatter_add_repeated", lambda x, i, y: x.scatter_add(0, i, y), (3, 4), lambda: torch.zeros(5, 4, dtype=I64) + 1, (5, 4))
for reduce in ("sum", "prod", "mean", "amax", "amin"):
    for own in (True, False):
        fn(f"scatter_reduce_{reduce}_{int(own)}", lambda x, i, y, reduce=reduce, own=own:
           x.scatter_reduce(1, i, y, reduce, include_self=own), (3, 5), ("int", (3, 4), 5), (3, 4))
fn("index_add", lambda x, i, y: x.index_add(0, i, y, alpha=2), (4, 3), ("int", (5,), 4), (5, 3))
fn("index_copy", lambda x, i, y: x.index_copy(1, i, y), (4, 3), lambda: torch.tensor([2, 0]), (4, 2))
fn("index_fill", lambda x, i: x.index_fill(1, i, -1.5), (4, 3), lambda: torch.tensor([2, 0]))
fn("slice_scatter", lambda x, y: torch.slice_scatter(x, y, 1, 1, 5, 2), (3, 6), (3, 2))
fn("slice_scatter_rows", lambda x, y: torch.slice_scatter(x, y, 0, 2), (4, 3), (2, 3))
fn("select_scatter", lambda x, y: torch.select_scatter(x, y, 1, 2), (3, 6), (3,))
fn("diagonal_scatter", lambda x, y: torch.diagonal_scatter(x, y, 1), (4, 5), (4,))

# Order.
for dim in (0, 1, -1):
    short = str(dim).replace("-", "m")
    for down in (False, True):
        fn(f"sort_dim{short}_{int(down)}", lambda x, dim=dim, down=down: torch.sort(x, dim, down), (4, 5))
        fn(f"argsort_dim{short}_{int(down)}", lambda x, dim=dim, down=down: torch.argsort(x, dim, down), (4, 5))
        fn(f"topk_dim{short}_{int(down)}", lambda x, dim=dim, down=down: torch.topk(x, 3, dim, largest=down), (4, 5))
fn("sort_stable", lambda x: torch.sort(x, stable=True, dim=-1), ("int", (3, 9), 3))
fn("sort_int", lambda x: torch.sort(x, 0)[0], ("signed", (7, 3), 100))
fn("topk_values", lambda x: torch.topk(x, 2)[0], (3, 7))
fn("topk_all", lambda x: torch.topk(x, 7, 1), (3, 7))
fn("kthvalue", lambda x: torch.kthvalue(x, 2, 1), (3, 7))
fn("median_dim", lambda x: torch.median(x, 1), (3, 7))
fn("median_all", torch.median, (3, 7))
fn("mode", lambda x: torch.mode(x, 1)[0], ("int", (3, 9), 4))
fn("msort", torch.msort, (5, 3))
fn("embedding_rank1", lambda i, w: torch.nn.functional.embedding(i, w), ("int", (4,), 9), (9, 3))
fn("embedding_rank3", lambda i, w: torch.nn.functional.embedding(i, w), ("int", (2, 1, 3), 9), (9, 3))
fn("embedding_int32", lambda i, w: torch.nn.functional.embedding(i, w), (torch.int32, ("int", (2, 3), 9)), (9, 3))
fn("embedding_padding", lambda i, w: torch.nn.functional.embedding(i, w, padding_idx=0), ("int", (2, 3), 9), (9, 3))
fn("one_hot", lambda i: torch.nn.functional.one_hot(i, 6).to(torch.float32), ("int", (2, 3), 6))
