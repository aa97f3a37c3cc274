// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/sampling/resize.hpp"
#include "shape/pixel_steps.hpp"

namespace kuiper_infer::kernel {

/// Samples channels-last float images, pixel by pixel with all channels.
void ResizeChannelsLast(const std::array<ResizeAxis<float>, 3>& axes, int64_t batch, int64_t channels,
                        const float* input, const PixelSteps& steps, float* output, const PixelSteps& output_steps);

}  // namespace kuiper_infer::kernel
