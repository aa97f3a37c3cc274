// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/sampling/resize.hpp"
#include "shape/pixel_strides.hpp"

namespace kuiper_infer::kernel {

/// Samples channels-last float images, pixel by pixel with all channels.
void ResizeChannelsLast(const std::array<ResizeAxis<float>, 3>& axes, int64_t batch, int64_t channels,
                        const float* input, const PixelStrides& strides, float* output,
                        const PixelStrides& output_strides);
/// Of bytes (or of the bytes of larger elements, counted as channels), which are copied: axes of one tap only.
void ResizeChannelsLast(const std::array<ResizeAxis<float>, 3>& axes, int64_t batch, int64_t channels,
                        const uint8_t* input, const PixelStrides& strides, uint8_t* output,
                        const PixelStrides& output_strides);

}  // namespace kuiper_infer::kernel
