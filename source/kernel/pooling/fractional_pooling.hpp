// SPDX-License-Identifier: MIT
#pragma once

#include "shape/window_grid.hpp"

namespace kuiper_infer::kernel {

/// Finds the largest element under each of grid.positions windows whose starts are spread over the image by a sample in
/// [0, 1) per axis (B. Graham, "Fractional max-pooling", 2014): with alpha = (extent - kernel) / (positions - 1) window
/// i starts at floor((i + sample) * alpha) - floor(sample * alpha), the last one at extent - kernel. Of grid.window
/// only the kernel sizes are read. `planes` independent images; input (planes, image), output and indices (offsets in
/// the plane) (planes, positions), samples (planes, axes): width and height with two axes, depth, height and width with
/// three, as PyTorch has them. Row-major without gaps; the output must not overlap. Instantiated for float and double.
template <class T>
void FractionalMaxPool(const WindowGrid& grid, int64_t axes, int64_t planes, const T* input, const T* samples,
                       T* output, int64_t* indices);

}  // namespace kuiper_infer::kernel
