// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "kernel/elementwise/activation.hpp"

namespace kuiper_infer::kernel {

/// What a micro-kernel tile of a product does to its sums, and where it writes them. Pointers point to the tile's first
/// row and column.
struct TileEpilogue {
  float* c = nullptr;
  int64_t ldc = 0;
  int64_t columns = 0;              ///< number of columns that are written; the last vector may be partial
  const float* bias = nullptr;      ///< or null
  const float* residual = nullptr;  ///< or null
  int64_t residual_ld = 0;
  float least = -std::numeric_limits<float>::infinity();  ///< results are limited to [least, most]
  float most = std::numeric_limits<float>::infinity();
  TileFunction function = TileFunction::kNone;  ///< applied instead of the limits

  /// The epilogue of the columns [first, first + count), or of fewer where the tile ends.
  TileEpilogue Columns(int64_t first, int64_t count) const {
    TileEpilogue part = *this;
    part.c += first;
    part.columns = std::min(count, columns - first);
    if (bias != nullptr) part.bias += first;
    if (residual != nullptr) part.residual += first;
    return part;
  }

  /// Moves to the tile that begins `rows` rows below.
  void Advance(int64_t rows) {
    c += rows * ldc;
    if (residual != nullptr) residual += rows * residual_ld;
  }
};

}  // namespace kuiper_infer::kernel
