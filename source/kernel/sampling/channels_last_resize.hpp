// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/sampling/resize.hpp"
#include "shape/pixel_strides.hpp"

namespace kuiper_infer::kernel {

/// Resizes channels-last float images, pixel by pixel with all channels.
void ResizeChannelsLast(const std::array<ResizeAxis<float>, 3>& axes, int64_t batch, int64_t channels,
                        const float* input, const PixelStrides& strides, float* output,
                        const PixelStrides& output_strides);
/// Resizes channels-last images of bytes by copying (nearest neighbours): all axes have one tap. An image of larger
/// elements is resized as an image of bytes: a channel of n bytes counts as n channels.
void ResizeChannelsLast(const std::array<ResizeAxis<float>, 3>& axes, int64_t batch, int64_t channels,
                        const uint8_t* input, const PixelStrides& strides, uint8_t* output,
                        const PixelStrides& output_strides);

}  // namespace kuiper_infer::kernel
