// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/product/int8/product.hpp"
#include "kernel/product/int8/tile.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

// Sizes and places of weights packed as int8/product.hpp says.

/// Quads of the depth of all segments.
inline int64_t Int8Quads(int64_t depth, int64_t segments) { return segments * DivideUp(depth, 4); }

/// Bytes of a column, of its sum and of its largest pair.
inline int64_t Int8ColumnBytes(int64_t depth, int64_t segments) { return 4 * (Int8Quads(depth, segments) + 2); }

/// The vectors that the columns of panel `panel` fill, the last one perhaps in part; the panels before it are full.
inline int64_t Int8PanelVectors(int64_t columns, int64_t panel) {
  return std::min(kInt8Vectors, DivideUp(columns - panel * kInt8Columns, kInt8Lanes));
}

inline const int8_t* Int8PanelAt(const Int8Product& product, int64_t panel) {
  return static_cast<const int8_t*>(product.weight) +
         panel * kInt8Columns * Int8ColumnBytes(product.depth, product.segments);
}

/// The sums of a panel's columns; their largest pairs follow.
inline const int8_t* Int8PanelEnd(const Int8Product& product, int64_t panel) {
  const int64_t width = Int8PanelVectors(product.columns, panel) * kInt8Lanes;
  return Int8PanelAt(product, panel) + width * 4 * Int8Quads(product.depth, product.segments);
}

/// Whether no pair of `width` columns is larger than kMostNarrowPair. `end` is where the columns' sums begin.
inline bool Int8PairsAreNarrow(const int8_t* end, int64_t width) {
  const auto* const pairs = reinterpret_cast<const int32_t*>(end) + width;
  return std::all_of(pairs, pairs + width, [](int32_t pair) { return pair <= kMostNarrowPair; });
}

/// What computes a panel of `width` columns: the kernel, or the one that it has for narrow panels.
inline const Int8Kernel& Int8KernelForPanel(const Int8Kernel& kernel, const int8_t* end, int64_t width) {
  return kernel.narrow != nullptr && Int8PairsAreNarrow(end, width) ? *kernel.narrow : kernel;
}

}  // namespace kuiper_infer::kernel
