// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/convolution/channels_last.hpp"

namespace kuiper_infer::kernel {

/// Winograd's convolutions (run.hpp) of bytes by 8-bit weights, in tiles of 2 x 2 and of 4 x 4 outputs. Images' and
/// weights' transforms are integers of 16 bits and their products add up in 32: 16 multiplications in place of 36, and
/// 36 in place of 144. The sums are exactly those of the other methods (int8_weight.hpp).
void RunInt8Winograd2(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays);
void RunInt8Winograd4(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays);

}  // namespace kuiper_infer::kernel
