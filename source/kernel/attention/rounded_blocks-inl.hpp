// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_ATTENTION_ROUNDED_BLOCKS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_ATTENTION_ROUNDED_BLOCKS_INL_HPP_
#undef KUIPER_KERNEL_ATTENTION_ROUNDED_BLOCKS_INL_HPP_
#else
#define KUIPER_KERNEL_ATTENTION_ROUNDED_BLOCKS_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>

#include "kernel/attention/rounded_panels-inl.hpp"
#include "kernel/attention/streamed_tile.hpp"
#include "kernel/product/bfloat16/tile.hpp"
#include "utils/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The products of a block of keys by a unit for bfloat16: both factors are rounded, and their products are added up in
/// float.
class RoundedBlocks {
 public:
  /// `panel` and `copies` are those of TileLayout.
  RoundedBlocks(const StreamedTile& tile, float* panel, float* copies)
      : t_(tile), tiles_(*tile.rounding), panels_(tile, panel, copies) {}

  void Begin() const {
    if (tiles_.begin != nullptr) tiles_.begin();
  }
  void End() const {
    if (tiles_.end != nullptr) tiles_.end();
  }

  /// Writes a query times `scale`, rounded; zeros follow it up to the pitch of rounded queries.
  void RoundQuery(const float* from, float scale, float* query) const {
    alignas(kCacheLine) float scaled[kBFloat16Columns];
    auto* const rounded = reinterpret_cast<uint16_t*>(query);
    for (int64_t k = 0; k < t_.width; k += kBFloat16Columns) {
      const int64_t count = std::min(kBFloat16Columns, t_.width - k);
      for (int64_t i = 0; i < count; ++i) scaled[i] = from[k + i] * scale;
      tiles_.round(scaled, count, rounded + k);
    }
    std::fill(rounded + t_.width, rounded + 2 * TilePitch(t_.width), uint16_t{0});
  }

  /// Scores of rounded queries and `columns` keys, in rows kBlockKeys apart.
  template <class T>
  void Score(const float* query, const T* keys, int64_t stride, int64_t columns, float* scores) const {
    const RoundedPanels::Rows rows = panels_.Rounded(keys, stride, columns, t_.width);
    for (int64_t first = 0; first < columns; first += kBFloat16Columns) {
      const int64_t count = std::min(kBFloat16Columns, columns - first);
      BFloat16Tile tile = TileOf(DivideUp(count, kBFloat16Lanes), t_.width);
      tile.weight = tile.next = panels_.Keys(rows, first, count, tile.vectors * kBFloat16Lanes);
      tile.a = reinterpret_cast<const uint16_t*>(query);
      tile.lda = 2 * TilePitch(t_.width);
      tile.result.c = scores + first;
      tile.result.ldc = kBlockKeys;
      tile.result.columns = count;
      for (int64_t row = 0; row < t_.rows; row += tile.rows) {
        tile.rows = tiles_.height(tile.vectors, t_.rows - row);
        tiles_.multiply(tile);
        tile.a += tile.rows * tile.lda;
        tile.result.Advance(tile.rows);
      }
    }
  }

  /// sums = sums * factor + weights @ values for `keys` rows of values; weights are in rows kBlockKeys apart.
  template <class T>
  void Sum(const float* weights, const float* factors, const T* values, int64_t stride, int64_t keys) const {
    alignas(kCacheLine) uint16_t rounded[kMostBFloat16Height * kBlockKeys];
    const RoundedPanels::Rows rows = panels_.Rounded(values, stride, keys, t_.value_width);
    const int64_t pitch = TilePitch(t_.value_width);
    for (int64_t first = 0; first < t_.value_width; first += kBFloat16Columns) {
      const int64_t count = std::min(kBFloat16Columns, t_.value_width - first);
      BFloat16Tile tile = TileOf(DivideUp(count, kBFloat16Lanes), keys);
      tile.weight = tile.next = panels_.Values(rows, first, count, keys, tile.vectors * kBFloat16Lanes);
      tile.a = rounded;
      tile.lda = kBlockKeys;
      tile.result.ldc = tile.result.residual_ld = pitch;
      tile.result.columns = count;
      for (int64_t row = 0; row < t_.rows; row += tile.rows) {
        tile.rows = tiles_.height(tile.vectors, t_.rows - row);
        float* const sums = t_.state.sums + row * pitch + first;
        for (int64_t r = 0; r < tile.rows; ++r) {
          RoundWeights(weights + (row + r) * kBlockKeys, keys, rounded + r * kBlockKeys);
          for (int64_t k = 0; k < count; ++k) sums[r * pitch + k] *= factors[row + r];
        }
        tile.result.c = sums;
        tile.result.residual = sums;
        tiles_.multiply(tile);
      }
    }
  }

 private:
  static BFloat16Tile TileOf(int64_t vectors, int64_t depth) {
    BFloat16Tile tile{};
    tile.vectors = vectors;
    tile.pairs = DivideUp(depth, 2);
    tile.pieces = 1;
    tile.segments = 1;
    return tile;
  }

  void RoundWeights(const float* weights, int64_t keys, uint16_t* to) const {
    tiles_.round(weights, keys, to);
    std::fill(to + keys, to + 2 * BFloat16Pairs(keys), uint16_t{0});
  }

  const StreamedTile& t_;
  const BFloat16Tiles& tiles_;
  RoundedPanels panels_;
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
