// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_QUANTIZED_TILE_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_QUANTIZED_TILE_INL_HPP_
#undef KUIPER_KERNEL_QUANTIZED_TILE_INL_HPP_
#else
#define KUIPER_KERNEL_QUANTIZED_TILE_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>

#include "kernel/product/weight_tile-inl.hpp"
#include "utils/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Some rows of a panel of a quantised weight.
struct QuantizedBlock {
  const uint8_t* integers;  ///< of the block's first row
  const float* scales;      ///< of the panel: (groups, vectors * kLanes)
  int64_t group_depth;
  int64_t first;  ///< the block's rows: [first, last) of the weight's
  int64_t last;
};

/// Bytes of a panel's row. Of 4 bits, two vectors lie in the low and high halves of the same bytes.
constexpr int64_t RowBytes(int bits, int64_t vectors) { return (bits == 8 ? vectors : DivideUp(vectors, 2)) * kLanes; }

/// Vector v of a panel's row.
template <int kBits>
HWY_INLINE FloatVector IntegersAt(const uint8_t* row, int v) {
  const Floats d;
  const hn::Rebind<int8_t, Floats> bytes;
  const hn::Rebind<int32_t, Floats> words;
  const auto* signed_row = reinterpret_cast<const int8_t*>(row);
  if constexpr (kBits == 8) {
    return hn::ConvertTo(d, hn::PromoteTo(words, hn::LoadU(bytes, signed_row + v * kLanes)));
  } else {
    const auto both = hn::PromoteTo(words, hn::LoadU(bytes, signed_row + v / 2 * kLanes));
    return hn::ConvertTo(d, v % 2 == 0 ? hn::ShiftRight<28>(hn::ShiftLeft<28>(both)) : hn::ShiftRight<4>(both));
  }
}

/// Bytes from an integer that is read to the one that is brought near meanwhile.
constexpr int64_t kFetchedAhead = 2048;

/// Calls body(k, vectors) with the numbers of the block's rows one after the other, k counted from 0.
template <int kBits, int kVectors, class Body>
HWY_INLINE void ForRows(const QuantizedBlock& b, const Body& body) {
  const Floats d;
  const uint8_t* integers = b.integers;
  for (int64_t k = b.first; k < b.last;) {
    const int64_t group = k / b.group_depth;
    const int64_t end = std::min(b.last, (group + 1) * b.group_depth);
    FloatVector scales[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) scales[v] = hn::LoadU(d, b.scales + (group * kVectors + v) * kLanes);
#pragma GCC unroll 4
    for (; k < end; ++k, integers += RowBytes(kBits, kVectors)) {
      __builtin_prefetch(integers + kFetchedAhead, 0, 2);
      FloatVector row[kVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) row[v] = hn::Mul(IntegersAt<kBits>(integers, v), scales[v]);
      body(k - b.first, row);
    }
  }
}

/// Writes the block's numbers to `target`, (rows, vectors * kLanes).
template <int kBits>
struct QuantizedWriters {
  static constexpr int kVectors = kPanelVectors;
  static constexpr int Height(int64_t /*vectors*/) { return 1; }

  template <int kRows, int kVectors>
  static void Run(const QuantizedBlock& b, float* target) {
    ForRows<kBits, kVectors>(b, [&](int64_t k, const FloatVector(&row)[kVectors]) HWY_ATTR {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) hn::StoreU(row[v], Floats(), target + (k * kVectors + v) * kLanes);
    });
  }
};

/// The largest number of rows of a tile of QuantizedTiles.
constexpr int kQuantizedHeight = 6;

/// Multiplies a tile of few rows by the block, whose numbers never leave the registers.
template <int kBits>
struct QuantizedTiles {
  static constexpr int kVectors = kPanelVectors;
  static constexpr int Height(int64_t /*vectors*/) { return kQuantizedHeight; }

  template <int kRows, int kVectors>
  static void Run(const QuantizedBlock& b, const float* a, int64_t lda, const TileResult& result) {
    FloatVector sums[kRows][kVectors];
    ClearSums(sums);
    ForRows<kBits, kVectors>(b, [&](int64_t k, const FloatVector(&row)[kVectors]) HWY_ATTR {
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const FloatVector factor = hn::Set(Floats(), a[r * lda + k]);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::MulAdd(factor, row[v], sums[r][v]);
      }
    });
    StoreSums(result, sums);
  }
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
