# SPDX-License-Identifier: MIT
"""Cases: linear, matrix products, embedding."""
import torch
import torch.nn.functional as F
from torch import nn

from ..case import add, fn, raw

add("linear", lambda: nn.Linear(7, 5), (3, 7))
add("linear_no_bias_rank4", lambda: nn.Linear(7, 5, bias=False), (2, 3, 4, 7))
add("linear_vector", lambda: nn.Linear(7, 5), (7,))
fn("linear_functional", lambda x, w, b: F.linear(x, w, b), (2, 3, 7), (5, 7), (5,))
fn("matmul_2d", torch.matmul, (4, 5), (5, 3))
fn("matmul_batched", torch.matmul, (2, 3, 4, 5), (2, 3, 5, 6))
fn("matmul_broadcast", torch.matmul, (2, 1, 4, 5), (3, 5, 6))
fn("matmul_vector_right", torch.matmul, (2, 4, 5), (5,))
fn("matmul_vector_left", torch.matmul, (5,), (2, 5, 3))
fn("matmul_dot", torch.matmul, (5,), (5,))
fn("matmul_transposed", lambda a, b: torch.matmul(a, b.transpose(-1, -2)), (2, 4, 5), (2, 3, 5))
fn("bmm", torch.bmm, (3, 4, 5), (3, 5, 2))
fn("mm", torch.mm, (4, 5), (5, 2))
fn("mv", torch.mv, (4, 5), (5,))
fn("addmm", lambda c, a, b: torch.addmm(c, a, b, beta=0.5, alpha=2), (3,), (4, 5), (5, 3))
fn("baddbmm", lambda c, a, b: torch.baddbmm(c, a, b, beta=0.5, alpha=2), (2, 4, 3), (2, 4, 5), (2, 5, 3))
add("embedding", lambda: nn.Embedding(11, 5), ("int", (2, 7), 11))
fn("embedding_functional", lambda i, w: F.embedding(i, w), ("int", (2, 3), 11), (11, 4))

PAIRS = {"vectors": ((5,), (5,)), "vector_matrix": ((5,), (5, 3)), "matrix_vector": ((4, 5), (5,)), "vector_batch": ((5,), (2, 5, 3)), "batch_vector": ((2, 4, 5), (5,)),
         "batch_matrix": ((2, 4, 5), (5, 3)), "matrix_batch": ((4, 5), (2, 5, 3)), "rank5": ((2, 1, 2, 3, 4), (3, 1, 4, 2)), "one": ((1, 1), (1, 1)),
         "inner_empty": ((3, 0), (0, 2)), "outer_empty": ((0, 3), (3, 2)), "large": ((33, 65), (65, 17))}
for short, (left, right) in PAIRS.items():
    fn(f"matmul_{short}", lambda x, y: torch.matmul(x, y), left, right, tolerance=1e-4)
fn("matmul_left_transposed", lambda a, b: torch.matmul(a.transpose(-1, -2), b), (2, 5, 4), (2, 5, 3))
fn("matmul_both_transposed", lambda a, b: torch.matmul(a.transpose(-1, -2), b.transpose(-1, -2)), (2, 5, 4), (2, 3, 5))
fn("matmul_strided", lambda a, b: torch.matmul(a[:, ::2], b), (4, 10), (5, 3))
fn("bmm_empty", torch.bmm, (0, 4, 5), (0, 5, 2))
for shape in ((4, 3), (3,), (1, 3), (4, 1)):
    fn("addmm_" + "x".join(map(str, shape)), lambda c, a, b: torch.addmm(c, a, b), shape, (4, 5), (5, 3))
fn("addmm_beta_zero", lambda c, a, b: torch.addmm(c, a, b, beta=0), (4, 3), (4, 5), (5, 3))
fn("baddbmm_broadcast", lambda c, a, b: torch.baddbmm(c, a, b), (4, 1), (2, 4, 5), (2, 5, 3))
fn("addbmm", lambda c, a, b: torch.addbmm(c, a, b, alpha=0.5), (4, 3), (2, 4, 5), (2, 5, 3))
fn("addmv", lambda c, a, b: torch.addmv(c, a, b, beta=2), (4,), (4, 5), (5,))
fn("addr", lambda c, a, b: torch.addr(c, a, b, alpha=2), (4, 5), (4,), (5,))
fn("outer", torch.outer, (4,), (5,))
fn("inner", torch.inner, (2, 5), (3, 5))
fn("dot", torch.dot, (5,), (5,))
raw("inner_numbers", "aten::inner", torch.inner, ("$0", "$1"), (), ())
raw("inner_number_left", "aten::inner", torch.inner, ("$0", "$1"), (), (2, 3))
raw("inner_number_right", "aten::inner", torch.inner, ("$0", "$1"), (torch.int64, ("int", (3,), 9)), (torch.int64, ("int", (), 9)))
raw("tensordot_no_axes", "aten::tensordot", lambda x, y: torch.tensordot(x, y, 0), ("$0", "$1", [], []), (2, 3), (3, 2))
raw("tensordot_single_left", "aten::tensordot", lambda x, y: torch.tensordot(x, y, ([0], [1])), ("$0", "$1", [0], [1]), (1, 3), (3, 2))
raw("tensordot_single_right", "aten::tensordot", lambda x, y: torch.tensordot(x, y, ([1, 0], [-1, 0])), ("$0", "$1", [1, 0], [-1, 0]), (3, 2), (3, 4, 1))
for beta in (0, 2):
    raw(f"addbmm_no_matrices_{beta}", "aten::addbmm", lambda c, a, b, beta=beta: torch.addbmm(c, a, b, beta=beta), ("$0", "$1", "$2", beta, 1), (4, 1), (0, 4, 5), (0, 5, 3))
raw("linear_vector_bias", "aten::linear", F.linear, ("$0", "$1", "$2"), (3,), (3,), ())
for short, equation, shape in (("trace", "ii->", (3, 3)), ("rows", "ij->i", (3, 1)), ("all", "ij->", (3, 4))):
    for kind in (torch.int8, torch.int32):
        raw(f"einsum_{short}_{kind}".replace("torch.", ""), "aten::einsum", lambda x, equation=equation: torch.einsum(equation, x),
            (equation, ["$0"], None), (kind, ("signed", shape, 100)))
for short, equation in (("both", "ij,kl->il"), ("neither", "ij,jk->ik"), ("single", "ij,kl->jkl")):
    fn(f"einsum_{short}_int32", lambda x, y, equation=equation: torch.einsum(equation, x, y), (torch.int32, ("signed", (1, 3), 100)), (torch.int32, ("signed", (3, 4), 100)))
EQUATIONS = {"ij,jk->ik": ((3, 4), (4, 5)), "bij,bjk->bik": ((2, 3, 4), (2, 4, 5)), "ij->ji": ((3, 4),), "ii->i": ((4, 4),), "ii": ((4, 4),), "ij->": ((3, 4),),
             "i,j->ij": ((3,), (4,)), "i,i->": ((3,), (3,)), "bhld,bhmd->bhlm": ((2, 3, 4, 5), (2, 3, 6, 5)), "bld,hd->blh": ((2, 3, 4), (5, 4)),
             "bi,bj,bk->bijk": ((2, 3), (2, 4), (2, 5)), "ij,kj->ikj": ((3, 4), (5, 4)), "ijk,ilm,njm,nlk,abc->": ((2, 3, 4), (2, 3, 4), (2, 3, 4), (2, 3, 4), (1, 2, 1)),
             "ij,jk": ((3, 4), (4, 5)), "a b, b c -> a c": ((3, 4), (4, 5)), "nctkv,kvw->nctw": ((1, 2, 3, 2, 4), (2, 4, 5))}
for index, (equation, shapes) in enumerate(EQUATIONS.items()):
    fn(f"einsum_{index}", lambda *x, equation=equation: torch.einsum(equation, *x), *shapes, tolerance=1e-4)
for short, shape in {"rank1": (7,), "rank2": (3, 7), "rank5": (1, 2, 1, 3, 7), "empty": (0, 7)}.items():
    add(f"linear_{short}", lambda: nn.Linear(7, 5), shape)
    add(f"linear_{short}_no_bias", lambda: nn.Linear(7, 5, bias=False), shape)
add("linear_one_out", lambda: nn.Linear(7, 1), (3, 7))
add("linear_wide", lambda: nn.Linear(65, 130), (5, 65), tolerance=1e-4)
add("linear_dynamic", lambda: nn.Linear(7, 5), (3, 7), other=[(9, 7)])
add("bilinear", lambda: nn.Bilinear(3, 4, 5), (2, 3), (2, 4))
fn("bilinear_functional", lambda a, b, w: F.bilinear(a, b, w), (2, 3), (2, 4), (5, 3, 4))
for mode in ("sum", "mean", "max"):
    add(f"embedding_bag_{mode}", lambda mode=mode: nn.EmbeddingBag(9, 4, mode=mode), ("int", (3, 5), 9))
add("embedding_padding", lambda: nn.Embedding(9, 4, padding_idx=0), ("int", (2, 3), 9))
for p in (1.0, 2.0, 3.0):
    fn(f"pairwise_{p}".replace(".", "_"), lambda x, y, p=p: F.pairwise_distance(x, y, p=p, keepdim=True), (3, 5), (3, 5))

# The products of the experts of a mixture; PyTorch wants rows, and the starts of groups, at multiples of 16 bytes.
for short, ends, left, right in (("rows", (2, 2, 6), (6, 4), (3, 4, 8)), ("columns", (4, 4, 12), (3, 4, 8), (8, 12)),
                                 ("depth", (4, 4, 8), (4, 8), (8, 4))):
    fn(f"grouped_mm_{short}", lambda a, b, ends=ends: torch._grouped_mm(a, b, torch.tensor(ends, dtype=torch.int32)), left, right)
fn("grouped_mm_batch", torch._grouped_mm, (3, 4, 8), (3, 8, 4))
fn("grouped_mm_of_counts", lambda a, b, i: torch._grouped_mm(a, b, torch.cumsum(torch.bincount(i, minlength=3), 0, dtype=torch.int32)),
   (6, 4), (3, 4, 8), ("int", (6,), 3))
