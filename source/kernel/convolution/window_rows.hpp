// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shape/window_grid.hpp"

namespace kuiper_infer::kernel {

/// Copies the pixels under the windows [first, last) (row-major numbers of positions) of a channels-last image into
/// rows `pitch` numbers apart, tap after tap, `channels` numbers each; `padding` where a window leaves the image.
/// Pixels lie `pixel` numbers apart.
void CopyWindowRows(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const float* image,
                    int64_t pixel, float* rows, int64_t pitch, float padding);
void CopyWindowRows(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const uint16_t* image,
                    int64_t pixel, uint16_t* rows, int64_t pitch, uint16_t padding);
void CopyWindowRows(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const uint8_t* image,
                    int64_t pixel, uint8_t* rows, int64_t pitch, uint8_t padding);

}  // namespace kuiper_infer::kernel
