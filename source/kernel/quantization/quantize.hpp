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
};

/// Rounds `count` numbers to the grid as PyTorch does: q = nearest(x * (1 / scale)) + zero_point, ties to even, kept
/// within [least, most]; NaN becomes least. `input` and `output` may be the same array.
void RoundToGrid(const QuantizationGrid& grid, int64_t count, const float* input, float* output);

}  // namespace kuiper_infer::kernel
