// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/channels_last.hpp"

namespace kuiper_infer::kernel {

/// A depthwise convolution with as many output as input channels: each channel has a window of its own. The weight is
/// packed as (taps, channels). Spread over threads by rows of the output.
void ConvolveDepthwise(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays);

}  // namespace kuiper_infer::kernel
