# SPDX-License-Identifier: MIT
"""Cases: convolution."""
import torch.nn.functional as F
from torch import nn

from .case import add, fn

add("conv2d_3x3", lambda: nn.Conv2d(3, 8, 3, padding=1), (1, 3, 9, 11))
add("conv2d_1x1", lambda: nn.Conv2d(5, 7, 1), (2, 5, 6, 7))
add("conv2d_1x1_groups", lambda: nn.Conv2d(8, 12, 1, groups=4), (2, 8, 5, 6))
add("conv2d_1x1_groups_stride", lambda: nn.Conv2d(8, 12, 1, stride=2, groups=2), (1, 8, 7, 6))
add("conv2d_stride", lambda: nn.Conv2d(4, 6, (3, 5), stride=(2, 1), padding=(0, 2)), (2, 4, 10, 9))
add("conv2d_2x4_pad2", lambda: nn.Conv2d(4, 6, (2, 4), stride=(2, 1), padding=2), (1, 4, 8, 9))
add("conv2d_no_bias", lambda: nn.Conv2d(4, 6, (1, 3), padding=(2, 4), bias=False), (1, 4, 8, 9))
add("conv2d_groups_valid", lambda: nn.Conv2d(8, 12, 3, groups=4, padding="valid"), (2, 8, 8, 9))
add("conv2d_same_dilation", lambda: nn.Conv2d(8, 12, (2, 3), dilation=(1, 2), groups=2, padding="same"), (1, 8, 8, 9))
add("conv2d_depthwise", lambda: nn.Conv2d(8, 8, 3, padding=1, groups=8), (2, 8, 9, 9))
add("conv2d_depthwise_stride2", lambda: nn.Conv2d(8, 8, 5, padding=2, stride=2, groups=8), (1, 8, 17, 15))
add("conv2d_depthwise_multiplier", lambda: nn.Conv2d(4, 12, 3, padding=1, groups=4), (1, 4, 9, 8))
add("conv2d_reflect", lambda: nn.Conv2d(4, 4, 3, padding=3, groups=4, padding_mode="reflect"), (1, 4, 9, 8))
add("conv2d_replicate", lambda: nn.Conv2d(4, 6, 3, padding=1, padding_mode="replicate"), (1, 4, 9, 8))
add("conv2d_reflect_12", lambda: nn.Conv2d(4, 6, 3, padding=(1, 2), padding_mode="reflect"), (1, 4, 9, 8))
add("conv2d_circular", lambda: nn.Conv2d(4, 6, 3, padding=1, padding_mode="circular"), (1, 4, 9, 8))
add("conv2d_dilation_stride_pad", lambda: nn.Conv2d(4, 6, 3, dilation=2, stride=2, padding=(5, 6)), (1, 4, 9, 8))
add("conv2d_unbatched", lambda: nn.Conv2d(3, 4, 3, padding=1), (3, 8, 8))
fn("conv2d_functional", lambda x, w, b: F.conv2d(x, w, b, stride=2, padding=1), (2, 3, 9, 9), (4, 3, 3, 3), (4,))
fn("conv2d_functional_no_bias", lambda x, w: F.conv2d(x, w, None, padding=(1, 0), groups=3), (1, 3, 9, 9), (6, 1, 3, 3))
add("conv1d", lambda: nn.Conv1d(4, 6, 3, padding=1), (2, 4, 11))
add("conv1d_dilation_groups", lambda: nn.Conv1d(4, 6, 5, dilation=2, groups=2, padding=4), (2, 4, 17))
add("conv1d_causal_depthwise", lambda: nn.Conv1d(6, 6, 4, padding=3, groups=6), (1, 6, 9))
add("conv3d", lambda: nn.Conv3d(3, 4, 3, padding=1, stride=(1, 2, 2)), (1, 3, 5, 8, 9))
add("conv3d_groups", lambda: nn.Conv3d(4, 8, (1, 3, 2), groups=2, padding=(0, 1, 1)), (2, 4, 4, 6, 7))
add("conv_transpose2d", lambda: nn.ConvTranspose2d(4, 6, 2, stride=2), (1, 4, 5, 6))
add("conv_transpose2d_output_padding", lambda: nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=(0, 1)), (2, 4, 5, 6))
add("conv_transpose2d_dilation_groups", lambda: nn.ConvTranspose2d(4, 6, 3, dilation=(1, 2), groups=2, bias=False), (1, 4, 5, 6))
add("conv_transpose2d_depthwise", lambda: nn.ConvTranspose2d(8, 8, 4, stride=2, padding=1, groups=8), (1, 8, 5, 6))
add("conv_transpose2d_large_pad", lambda: nn.ConvTranspose2d(4, 6, 3, stride=2, padding=2), (1, 4, 7, 6))
add("conv_transpose1d", lambda: nn.ConvTranspose1d(4, 6, 4, stride=2, padding=1), (2, 4, 9))
add("conv_transpose3d", lambda: nn.ConvTranspose3d(3, 4, 2, stride=2), (1, 3, 3, 4, 5))
