// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/elementwise/activation.hpp"
#include "kernel/quantization/quantize.hpp"

namespace kuiper_infer::kernel {

/// What becomes of a tile's sums. With y = float(sum) * multiplier + bias, rounded once, it is bounded(y + residual),
/// or the byte of c_grid next to that or to the function's value; or, where numbers are counted in steps of c_grid, the
/// byte next to y + residual_byte * residual_step, rounded once. Pointers are to the tile's own corner.
struct Int8TileEpilogue {
  int64_t columns = 0;                 ///< that are written
  const float* multipliers = nullptr;  ///< as many as sums lie side by side, as are the biases
  const float* biases = nullptr;
  const float* residual = nullptr;          ///< or null
  const uint8_t* residual_bytes = nullptr;  ///< or null: numbers of residual_grid
  int64_t residual_ld = 0;
  QuantizationGrid residual_grid;
  ActivationBounds bounds;
  TileFunction function = TileFunction::kNone;  ///< instead of bounds, of bytes only
  bool in_steps = false;                        ///< of bytes only, without bounds, function, or residual of floats
  float residual_step = 0;                      ///< if in steps; the residual's zero point is among the biases
  float* c = nullptr;                           ///< or null: bytes are written
  uint8_t* c_bytes = nullptr;
  int64_t ldc = 0;
  QuantizationGrid c_grid;
};

/// Writes the result of `rows` rows of sums, which lie `lds` apart, a multiple of 16.
void WriteInt8Sums(const Int8TileEpilogue& result, int64_t rows, const int32_t* sums, int64_t lds);

}  // namespace kuiper_infer::kernel
