// SPDX-License-Identifier: MIT
#pragma once

#include "shape/window_grid.hpp"

namespace kuiper_infer::kernel {

/// Elements of scratch memory that DepthwisePlane needs: the image with its padding, none without padding.
int64_t PaddedPlaneSize(const WindowGrid& grid);

/// Computes one plane of a depthwise convolution: output[p] = bias + sum over taps t of weight[t] * image[p's t], zero
/// outside of the image. `image` (grid.image), `weight` (taps) and `output` (grid.positions) are row-major without
/// gaps; `padded` has PaddedPlaneSize elements. Direct loops along output rows of the padded image, which need no
/// bounds; 3x3 and 5x5 windows of stride 1 and 2 in one pass. Serial. Instantiated for float and double.
template <class T>
void DepthwisePlane(const WindowGrid& grid, const T* image, const T* weight, T bias, T* output, T* padded);

}  // namespace kuiper_infer::kernel
