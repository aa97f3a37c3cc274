# SPDX-License-Identifier: MIT
"""Cases: convolution."""
import torch.nn.functional as F
from torch import nn

from ..case import add, fn

add("conv2d_3x3", lambda: nn.Conv2d(3, 8, 3, padding=1), (1, 3, 9, 11))
add("conv2d_1x1", lambda: nn.Conv2d(5, 7, 1), (2, 5, 6, 7))
add("conv2d_1x1_groups", lambda: nn.Conv2d(8, 12, 1, groups=4), (2, 8, 5, 6))
add("conv2d_1x1_groups_stride", lambda: nn.Conv2d(8, 12, 1, stride=2, groups=2), (1, 8, 7, 6))
add("conv2d_stride", lambda: nn.Conv2d(4, 6, (3, 5), stride=(2, 1), padding=(0, 2)), (2, 4, 10, 9))
add("conv2d_2x4_pad2", lambda: nn.Conv2d(4, 6, (2, 4), stride=(2, 1), padding=2), (1, 4, 8, 9))
add("conv2d_no_bias_pad", lambda: nn.Conv2d(4, 6, (1, 3), padding=(2, 4), bias=False), (1, 4, 8, 9))
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
fn("conv2d_functional_stride", lambda x, w, b: F.conv2d(x, w, b, stride=2, padding=1), (2, 3, 9, 9), (4, 3, 3, 3), (4,))
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

INPUTS = {1: (2, 4, 13), 2: (2, 4, 9, 11), 3: (1, 4, 5, 6, 7)}
for rank, shape in INPUTS.items():
    for kernel, stride, padding, dilation, groups in ((1, 1, 0, 1, 1), (1, 2, 0, 1, 2), (3, 1, 1, 1, 1), (3, 2, 1, 1, 2), (3, 1, 2, 2, 1),
                                                      (2, 1, 0, 1, 1), (3, 1, 1, 1, 4), (5, 2, 2, 1, 4), (4, 3, 3, 1, 1)):
        add(f"conv{rank}d_{kernel}_{stride}_{padding}_{dilation}_{groups}",
            lambda rank=rank, kernel=kernel, stride=stride, padding=padding, dilation=dilation, groups=groups:
            getattr(nn, f"Conv{rank}d")(4, 8, kernel, stride, padding, dilation, groups), shape)
    for kernel, stride, padding, output_padding, groups, dilation in ((2, 2, 0, 0, 1, 1), (3, 2, 1, 1, 1, 1), (4, 2, 1, 0, 2, 1),
                                                                      (3, 1, 1, 0, 4, 1), (3, 3, 0, 2, 1, 2), (1, 1, 0, 0, 1, 1)):
        add(f"transpose{rank}d_{kernel}_{stride}_{padding}_{output_padding}_{groups}_{dilation}",
            lambda rank=rank, kernel=kernel, stride=stride, padding=padding, output_padding=output_padding, groups=groups, dilation=dilation:
            getattr(nn, f"ConvTranspose{rank}d")(4, 8, kernel, stride, padding, output_padding, groups, True, dilation), shape)
    for mode in ("zeros", "reflect", "replicate", "circular"):
        add(f"conv{rank}d_mode_{mode}", lambda rank=rank, mode=mode: getattr(nn, f"Conv{rank}d")(4, 3, 3, padding=1, padding_mode=mode), shape)
    for padding in ("same", "valid"):
        for kernel in (2, 3):
            add(f"conv{rank}d_{padding}_{kernel}", lambda rank=rank, padding=padding, kernel=kernel:
                getattr(nn, f"Conv{rank}d")(4, 3, kernel, padding=padding), shape)
    add(f"conv{rank}d_no_bias", lambda rank=rank: getattr(nn, f"Conv{rank}d")(4, 3, 3, bias=False), shape)
    add(f"conv{rank}d_one_image", lambda rank=rank: getattr(nn, f"Conv{rank}d")(4, 3, 3), shape[1:])
    add(f"transpose{rank}d_one_image", lambda rank=rank: getattr(nn, f"ConvTranspose{rank}d")(4, 3, 3), shape[1:])
    weight, transposed = (6, 2) + (3,) * rank, (4, 3) + (2,) * rank
    fn(f"conv{rank}d_functional", lambda x, w, b, rank=rank: getattr(F, f"conv{rank}d")(x, w, b, padding=1, groups=2), shape, weight, (6,))
    fn(f"conv{rank}d_functional_same", lambda x, w, rank=rank: getattr(F, f"conv{rank}d")(x, w, padding="same", groups=2), shape, weight)
    fn(f"transpose{rank}d_functional", lambda x, w, b, rank=rank: getattr(F, f"conv_transpose{rank}d")(x, w, b, stride=2), shape, transposed, (3,))
add("conv2d_dynamic", lambda: nn.Conv2d(3, 4, 3, 2, 1), (1, 3, 8, 8), other=[(3, 3, 11, 14)])
add("conv2d_wide", lambda: nn.Conv2d(17, 33, 3, padding=1), (1, 17, 6, 6))
add("conv2d_depthwise_dilated", lambda: nn.Conv2d(6, 6, 3, padding=2, dilation=2, groups=6), (2, 6, 9, 8))
add("conv2d_depthwise_rows", lambda: nn.Conv2d(6, 6, (7, 1), padding=(3, 0), groups=6), (1, 6, 9, 8))
add("conv2d_kernel_of_image", lambda: nn.Conv2d(3, 5, (6, 7)), (2, 3, 6, 7))
add("conv2d_relu", lambda: nn.Sequential(nn.Conv2d(3, 5, 3), nn.ReLU()), (2, 3, 6, 7))
add("conv2d_batch_norm", lambda: nn.Sequential(nn.Conv2d(3, 5, 3), nn.BatchNorm2d(5), nn.SiLU()), (2, 3, 6, 7))
add("transpose2d_batch_norm", lambda: nn.Sequential(nn.ConvTranspose2d(3, 5, 3), nn.BatchNorm2d(5)), (2, 3, 6, 7))
