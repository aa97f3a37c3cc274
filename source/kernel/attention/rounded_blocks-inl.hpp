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
#include <cstring>

#include "kernel/attention/streamed_tile.hpp"
#include "kernel/product/bfloat16/tile.hpp"
#include "kernel/product/transpose-inl.hpp"
#include "utils/half.hpp"
#include "utils/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The products of a block of keys by a unit for bfloat16: both factors are rounded, and their products are added up in
/// float.
class RoundedBlocks {
 public:
  /// `panel` has room for the pairs of kBFloat16Columns keys, `copies` for TileLayout's floats.
  RoundedBlocks(const StreamedTile& tile, float* panel, float* copies)
      : t_(tile),
        tiles_(*tile.rounding),
        panel_(panel),
        copies_(reinterpret_cast<uint16_t*>(copies)),
        value_panel_(reinterpret_cast<uint16_t*>(copies) +
                     kBlockKeys * TilePitch(std::max(tile.width, tile.value_width))) {}

  void Begin() const {
    if (tiles_.begin != nullptr) tiles_.begin();
  }
  void End() const {
    if (tiles_.end != nullptr) tiles_.end();
  }

  /// Rounds a query in place; zeros follow it up to the pitch of rounded queries.
  void RoundQuery(float* query) const {
    const int64_t pitch = TilePitch(t_.width);
    alignas(kCacheLine) float part[kBFloat16Columns];
    auto* const rounded = reinterpret_cast<uint16_t*>(query);
    for (int64_t k = 0; k < pitch; k += kBFloat16Columns) {
      const int64_t count = std::min(kBFloat16Columns, pitch - k);
      std::memcpy(part, query + k, FloatBytes(count));
      tiles_.round(part, count, rounded + k);
    }
    std::memset(rounded + pitch, 0, FloatBytes(pitch) - pitch * kBytes);
  }

  /// Scores of rounded queries and `columns` keys, in rows kBlockKeys apart.
  template <class T>
  void Score(const float* query, const T* keys, int64_t stride, int64_t columns, float* scores) const {
    const Numbers rows = Rounded(keys, stride, columns, t_.width);
    for (int64_t first = 0; first < columns; first += kBFloat16Columns) {
      const int64_t count = std::min(kBFloat16Columns, columns - first);
      BFloat16Tile tile = TileOf(DivideUp(count, kBFloat16Lanes), t_.width);
      PackKeys(rows, first, count, tile.vectors * kBFloat16Lanes);
      tile.weight = tile.next = reinterpret_cast<const uint16_t*>(panel_);
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
    const Numbers rows = Rounded(values, stride, keys, t_.value_width);
    const int64_t pitch = TilePitch(t_.value_width);
    for (int64_t first = 0; first < t_.value_width; first += kBFloat16Columns) {
      const int64_t count = std::min(kBFloat16Columns, t_.value_width - first);
      BFloat16Tile tile = TileOf(DivideUp(count, kBFloat16Lanes), keys);
      PackValues(rows, first, count, keys, tile.vectors * kBFloat16Lanes);
      tile.weight = tile.next = value_panel_;
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
  static constexpr int64_t kBytes = sizeof(uint16_t);

  /// Rows of bfloat16 numbers.
  struct Numbers {
    const uint16_t* data;
    int64_t stride;
  };

  static BFloat16Tile TileOf(int64_t vectors, int64_t depth) {
    BFloat16Tile tile{};
    tile.vectors = vectors;
    tile.pairs = DivideUp(depth, 2);
    tile.pieces = 1;
    tile.segments = 1;
    return tile;
  }

  /// The rows as bfloat16 numbers whose pairs lie on addresses of pairs, with a zero behind the last one of an odd
  /// width. Rows of such numbers are read where they are.
  template <class T>
  Numbers Rounded(const T* from, int64_t stride, int64_t count, int64_t width) const {
    if constexpr (std::is_same_v<T, BFloat16>) {
      const auto* const data = reinterpret_cast<const uint16_t*>(from);
      if (width % 2 == 0 && stride % 2 == 0 && reinterpret_cast<std::uintptr_t>(data) % 4 == 0) return {data, stride};
    }
    const int64_t pitch = TilePitch(width);
    for (int64_t j = 0; j < count; ++j) {
      uint16_t* const to = copies_ + j * pitch;
      RoundRow(from + j * stride, width, to);
      if (width % 2 != 0) to[width] = 0;
    }
    return {copies_, pitch};
  }

  void RoundRow(const float* from, int64_t width, uint16_t* to) const { tiles_.round(from, width, to); }
  static void RoundRow(const BFloat16* from, int64_t width, uint16_t* to) { std::memcpy(to, from, width * kBytes); }
  /// Integers of 8 bits are bfloat16 numbers.
  static void RoundRow(const int8_t* from, int64_t width, uint16_t* to) {
    for (int64_t k = 0; k < width; ++k) to[k] = BFloat16(static_cast<float>(from[k])).bits;
  }

  /// Makes a panel of keys [first, first + count): number k of all keys beside number k + 1, and zeros behind.
  void PackKeys(const Numbers& rows, int64_t first, int64_t count, int64_t pitch) const {
    const int64_t pairs = DivideUp(t_.width, 2);
    std::memset(panel_, 0, FloatBytes(BFloat16Pairs(t_.width) * pitch));
    // Pairs are copied as floats, whatever their bits are.
    CopyTransposed(count, pairs, reinterpret_cast<const float*>(rows.data + first * rows.stride), rows.stride / 2,
                   panel_, pitch);
  }

  /// Makes a panel of the columns [first, first + count) of values: each key's number beside the next key's.
  void PackValues(const Numbers& rows, int64_t first, int64_t count, int64_t keys, int64_t pitch) const {
    std::memset(value_panel_, 0, BFloat16Pairs(keys) * pitch * 2 * kBytes);
    for (int64_t j = 0; j < keys; j += 2) {
      const uint16_t* const even = rows.data + j * rows.stride + first;
      uint16_t* const to = value_panel_ + j * pitch;
      if (j + 1 < keys) {
        const uint16_t* const odd = even + rows.stride;
        for (int64_t k = 0; k < count; ++k) {
          to[2 * k] = even[k];
          to[2 * k + 1] = odd[k];
        }
      } else {
        for (int64_t k = 0; k < count; ++k) to[2 * k] = even[k];
      }
    }
  }

  void RoundWeights(const float* weights, int64_t keys, uint16_t* to) const {
    tiles_.round(weights, keys, to);
    std::fill(to + keys, to + 2 * BFloat16Pairs(keys), uint16_t{0});
  }

  const StreamedTile& t_;
  const BFloat16Tiles& tiles_;
  float* panel_;           ///< pairs of keys
  uint16_t* copies_;       ///< rounded rows, in the first half of their memory
  uint16_t* value_panel_;  ///< pairs of values, in the second half
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
