// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

/// The numbers that a quantised array can hold: (q - zero_point) * scale for q in [least, most].
struct QuantizationGrid {
  float scale = 1;
  int32_t zero_point = 0;
  int32_t least = 0;
  int32_t most = 255;

  bool operator==(const QuantizationGrid& other) const {
    return scale == other.scale && zero_point == other.zero_point && least == other.least && most == other.most;
  }
};

/// Rounds `count` numbers to the grid as PyTorch does: q = nearest(x * (1 / scale)) + zero_point, ties to even, kept
/// within [least, most]; NaN becomes least. Zero is never negative. `input` and `output` may be the same array.
void RoundToGrid(const QuantizationGrid& grid, int64_t count, const float* input, float* output);

/// Writes the q of RoundToGrid, of a grid whose bounds lie in 0 to 255.
void RoundToBytes(const QuantizationGrid& grid, int64_t count, const float* input, uint8_t* output);

/// RoundToBytes for `rows` rows of `count` numbers, input_ld and output_ld elements apart, on the calling thread.
void RoundRowsToBytes(const QuantizationGrid& grid, int64_t rows, int64_t count, const float* input, int64_t input_ld,
                      uint8_t* output, int64_t output_ld);

/// Writes the numbers (q - zero_point) * scale for bytes q.
void NumbersOfBytes(const QuantizationGrid& grid, int64_t count, const uint8_t* input, float* output);

}  // namespace kuiper_infer::kernel
