// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace kuiper_infer::kernel {

/// A row of pixels of bytes, channels side by side.
struct ByteRow {
  const uint8_t* pixels;
  int64_t stride;  ///< from pixel to pixel; 0: one pixel stands for all
};

/// Up to four rows of an image that become one row of quads: the numbers of all rows, for each channel of each pixel.
struct RowQuads {
  std::array<ByteRow, 4> rows;
  int64_t row_count;
  int64_t pixels;
  int64_t channels;
  int64_t width;   ///< channels of a pixel of quads: a multiple of 16, which `channels` fill but for less than 16
  uint8_t* quads;  ///< (pixels, width, 4); rows that are not there, and channels behind the last, are zero
};

void InterleaveRows(const RowQuads& rows);

}  // namespace kuiper_infer::kernel
