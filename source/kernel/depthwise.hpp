// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/window.hpp"

namespace kuiper_infer::kernel {

/// One plane of a depthwise convolution: output[p] = bias + sum over taps t of weight[t] * image[p's t], zero outside
/// of the image. `image` (grid.image), `weight` (taps) and `output` (grid.positions) are row-major without gaps.
/// Direct loops along output rows; 3x3 and 5x5 windows of stride 1 and 2 in one pass. Serial. Instantiated for float
/// and double.
template <class T>
void DepthwisePlane(const WindowGrid& grid, const T* image, const T* weight, T bias, T* output);

}  // namespace kuiper_infer::kernel
