// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/convolution/channels_last.hpp"

namespace kuiper_infer::kernel {

/// Winograd's convolution (run.hpp) of bytes by 8-bit weights in tiles of 2 x 2 outputs. Images' and weights'
/// transforms are integers of 16 bits and their products add up in 32: 16 multiplications in place of 36, and the sums
/// are exactly those of the other methods, as what wraps around in between comes back. The weight lies as
/// int8_weight.hpp says.
void RunInt8Winograd(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays);

}  // namespace kuiper_infer::kernel
