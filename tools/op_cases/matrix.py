# SPDX-License-Identifier: MIT
"""Cases: linear, matrix products, embedding."""
import torch
import torch.nn.functional as F
from torch import nn

from .case import add, fn

add("linear", lambda: nn.Linear(7, 5), (3, 7))
add("linear_no_bias_rank4", lambda: nn.Linear(7, 5, bias=False), (2, 3, 4, 7))
add("linear_rank1", lambda: nn.Linear(7, 5), (7,))
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
