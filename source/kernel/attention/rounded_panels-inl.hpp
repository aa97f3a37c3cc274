// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_ATTENTION_ROUNDED_PANELS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_ATTENTION_ROUNDED_PANELS_INL_HPP_
#undef KUIPER_KERNEL_ATTENTION_ROUNDED_PANELS_INL_HPP_
#else
#define KUIPER_KERNEL_ATTENTION_ROUNDED_PANELS_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernel/attention/streamed_tile.hpp"
#include "kernel/product/bfloat16/tile.hpp"
#include "kernel/product/transpose-inl.hpp"
#include "utils/half.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Panels of a block of keys or values, rounded to bfloat16, as tiles of a unit read them (BFloat16Tile::weight).
class RoundedPanels {
 public:
  /// `panel` and `copies` are those of TileLayout.
  RoundedPanels(const StreamedTile& tile, float* panel, float* copies)
      : t_(tile),
        keys_(panel),
        copies_(reinterpret_cast<uint16_t*>(copies)),
        values_(copies_ + kBlockKeys * TilePitch(std::max(tile.width, tile.value_width))) {}

  /// Rows of bfloat16 numbers.
  struct Rows {
    const uint16_t* data;
    int64_t stride;
  };

  /// The rows as bfloat16 numbers whose pairs lie on addresses of pairs, with a zero behind the last number of an odd
  /// width. Rows of such numbers are read where they are.
  template <class T>
  Rows Rounded(const T* from, int64_t stride, int64_t count, int64_t width) const {
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

  /// A panel of keys [first, first + count): number k of all keys beside number k + 1, and zeros behind.
  const uint16_t* Keys(const Rows& rows, int64_t first, int64_t count, int64_t pitch) const {
    std::memset(keys_, 0, FloatBytes(BFloat16Pairs(t_.width) * pitch));
    // Pairs are copied as floats, whatever their bits are.
    const auto* const from = reinterpret_cast<const float*>(rows.data + first * rows.stride);
    CopyTransposed(count, DivideUp(t_.width, 2), from, rows.stride / 2, keys_, pitch);
    return reinterpret_cast<const uint16_t*>(keys_);
  }

  /// A panel of the columns [first, first + count) of `keys` values: each key's number beside the next key's.
  const uint16_t* Values(const Rows& rows, int64_t first, int64_t count, int64_t keys, int64_t pitch) const {
    std::memset(values_, 0, BFloat16Pairs(keys) * pitch * 2 * sizeof(uint16_t));
    static constexpr uint16_t kZeros[kBFloat16Columns] = {};
    for (int64_t j = 0; j < keys; j += 2) {
      const uint16_t* const even = rows.data + j * rows.stride + first;
      InterleaveRows(even, j + 1 < keys ? even + rows.stride : kZeros, count, values_ + j * pitch);
    }
    return values_;
  }

 private:
  void RoundRow(const float* from, int64_t width, uint16_t* to) const { t_.rounding->round(from, width, to); }
  void RoundRow(const BFloat16* from, int64_t width, uint16_t* to) const {
    std::memcpy(to, from, width * sizeof(uint16_t));
  }
  /// Integers of 8 bits are bfloat16 numbers.
  void RoundRow(const int8_t* from, int64_t width, uint16_t* to) const {
    for (int64_t k = 0; k < width; ++k) to[k] = BFloat16(static_cast<float>(from[k])).bits;
  }

  const StreamedTile& t_;
  float* keys_;       ///< a panel of keys
  uint16_t* copies_;  ///< rounded rows, in the first half of their memory
  uint16_t* values_;  ///< a panel of values, in the second half
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
