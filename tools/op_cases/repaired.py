# SPDX-License-Identifier: MIT
"""Cases: what the converter loses and the rest of the file settles (source/runtime/repair)."""
import torch
from torch import nn

from .case import add, fn, written


class Buffers(nn.Module):
    """A function of the inputs and of constant arrays."""

    def __init__(self, function, *values):
        super().__init__()
        self.function = function
        for number, value in enumerate(values):
            self.register_buffer(f"value{number}", torch.as_tensor(value))

    def forward(self, *inputs):
        return self.function(*inputs, *self.buffers())


# Constant indices are written flat, those of one element as a number.
add("index_one_element", lambda: Buffers(lambda x, i: x[:, i] * 1, [2]), (3, 4))
add("index_one_element_of_one_row", lambda: Buffers(lambda x, i: x[:, i] * 1, [0]), (1, 3))
add("index_one_element_two_axes", lambda: Buffers(lambda x, i: x[:, i] * 1, [[2]]), (3, 4))
add("index_one_element_three_axes", lambda: Buffers(lambda x, i: x[i] * 1, [[[-1]]]), (3, 4))
add("index_column", lambda: Buffers(lambda x, i: x[:, i] * 1, [[2], [0], [3]]), (3, 4))
add("index_column_first", lambda: Buffers(lambda x, i: x[i] * 1, [[2], [0]]), (3, 4))
add("index_column_four_axes", lambda: Buffers(lambda x, i: x[i] * 1, [[[[2]]], [[[0]]]]), (3, 4))
add("index_two_columns", lambda: Buffers(lambda x, i, j: x[i, j] * 1, [[2], [0]], [[1], [3]]), (3, 4, 2))
add("index_column_and_one", lambda: Buffers(lambda x, i, j: x[:, i, j] * 1, [[2], [0]], [[1]]), (3, 4, 2))
add("index_apart", lambda: Buffers(lambda x, i, j: x[i, :, j] * 1, [[2], [0]], [[1], [0]]), (3, 4, 2))
add("index_plain", lambda: Buffers(lambda x, i, j: x[i, j] * 1, [2, 0], [1, 3]), (3, 4))
add("index_column_dynamic", lambda: Buffers(lambda x, i: x[:, i] * 1, [[2], [0]]), (3, 4), other=[(5, 4)])
