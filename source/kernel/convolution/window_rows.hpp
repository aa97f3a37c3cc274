// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shape/window_grid.hpp"

namespace kuiper_infer::kernel {

/// Copies the pixels under the windows [first, last) (row-major numbers of positions) of a channels-last float image
/// into rows `pitch` floats apart, tap after tap, `channels` floats each; zero where a window leaves the image. Pixels
/// lie `pixel` floats apart.
void CopyWindowRows(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const float* image,
                    int64_t pixel, float* rows, int64_t pitch);

}  // namespace kuiper_infer::kernel
