// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/product/int8/kernel.hpp"
#include "kernel/product/int8/tile.hpp"
#include "kernel/product/product.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

/// The order of weights of 8-bit integers: panels of 64 columns, in which four numbers that follow each other along the
/// depth lie side by side, each segment filled up with zeros to a multiple of four; behind each panel the sums of its
/// columns and their largest pairs. It is the same for all units.
class Int8Panels final : public WeightPanels {
 public:
  const char* Name() const override { return "int8 panels"; }
  int64_t Columns() const override { return kInt8Columns; }
  int64_t Bytes(int64_t columns, int64_t depth, int64_t segments = 1) const override;
  void Pack(const TransposedWeight& weight, void* packed) const override;
  bool Reversible() const override { return true; }
  void Unpack(const TransposedWeight& weight, const void* packed, float* transposed) const override;
};

// Sizes and places in a packed weight.

/// Quads of the depth of all segments.
inline int64_t Int8Quads(int64_t depth, int64_t segments) { return segments * DivideUp(depth, 4); }

/// Bytes of a column, of its sum and of its largest pair.
inline int64_t Int8ColumnBytes(int64_t depth, int64_t segments) { return 4 * (Int8Quads(depth, segments) + 2); }

/// The vectors that the columns of panel `panel` fill, the last one perhaps in part; the panels before it are full.
inline int64_t Int8PanelVectors(int64_t columns, int64_t panel) {
  return std::min(kInt8Vectors, DivideUp(columns - panel * kInt8Columns, kInt8Lanes));
}

inline const int8_t* Int8PanelAt(const Product& product, int64_t panel) {
  return static_cast<const int8_t*>(product.weight.data) +
         panel * kInt8Columns * Int8ColumnBytes(product.depth, product.segments);
}

/// The sums of a panel's columns; their largest pairs follow.
inline const int8_t* Int8PanelEnd(const Product& product, int64_t panel) {
  const int64_t width = Int8PanelVectors(product.columns, panel) * kInt8Lanes;
  return Int8PanelAt(product, panel) + width * 4 * Int8Quads(product.depth, product.segments);
}

/// Whether no pair of `width` columns is larger than kMostNarrowPair. `end` is where the columns' sums begin.
inline bool Int8PairsAreNarrow(const int8_t* end, int64_t width) {
  const auto* const pairs = reinterpret_cast<const int32_t*>(end) + width;
  return std::all_of(pairs, pairs + width, [](int32_t pair) { return pair <= kMostNarrowPair; });
}

/// The tiles that compute a panel of `width` columns: a unit's, or those that it has for narrow panels.
template <class Tiles>
const Tiles& Int8TilesForPanel(const Tiles& tiles, const int8_t* end, int64_t width) {
  return tiles.narrow != nullptr && Int8PairsAreNarrow(end, width) ? *tiles.narrow : tiles;
}

}  // namespace kuiper_infer::kernel
