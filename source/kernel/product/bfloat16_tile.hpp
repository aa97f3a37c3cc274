// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/product/tile_result.hpp"
#include "utils/cpu_info.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

constexpr int64_t kBFloat16Lanes = 16;  ///< float sums of a vector
constexpr int64_t kBFloat16Vectors = 4;
constexpr int64_t kBFloat16Columns = kBFloat16Vectors * kBFloat16Lanes;  ///< of a panel

/// The pairs that lie along a depth, the last one perhaps in part.
inline int64_t BFloat16Pairs(int64_t depth) { return DivideUp(depth, 2); }

/// The vectors that the columns of panel `panel` fill, the last one perhaps in part; the panels before it are full.
inline int64_t BFloat16PanelVectors(int64_t columns, int64_t panel) {
  return std::min(kBFloat16Vectors, DivideUp(columns - panel * kBFloat16Columns, kBFloat16Lanes));
}

/// What a tile of the product reads and writes; pointers are to the tile's own corner.
struct BFloat16Tile {
  int64_t rows;   ///< at most BFloat16Kernel::height
  int64_t pairs;  ///< of the depth
  const uint16_t* a;
  int64_t lda;
  const uint16_t* weight;  ///< (pairs, vectors * kBFloat16Lanes, 2), without gaps
  int64_t vectors;
  const uint16_t* next;  ///< what the coming tiles read: brought near meanwhile
  int64_t next_stride;   ///< numbers that are brought with each pair
  TileResult result;
};

/// How a unit computes. All give the same numbers.
struct BFloat16Kernel {
  int64_t (*height)(int64_t vectors);  ///< rows of a tile, at most
  void (*multiply)(const BFloat16Tile& tile);
  /// Rounds `count` numbers to nearest, ties to even; NaN stays NaN, denormal numbers become zero.
  void (*round)(const float* from, int64_t count, uint16_t* to);
};

const BFloat16Kernel& PortableBFloat16Kernel();
#if defined(__x86_64__)
const BFloat16Kernel& Avx512BFloat16Kernel();  ///< for CPUs with AVX512_BF16
#endif

inline const BFloat16Kernel& BFloat16KernelOf(MatrixUnit unit) {
#if defined(__x86_64__)
  if (unit == MatrixUnit::kAvx512BFloat16) return Avx512BFloat16Kernel();
#endif
  return PortableBFloat16Kernel();
}

}  // namespace kuiper_infer::kernel
