// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_TILE_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_TILE_INL_HPP_
#undef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_TILE_INL_HPP_
#else
#define KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_TILE_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>

#include "kernel/product/float32/tile-inl.hpp"
#include "kernel/product/integer_weights/rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Some rows of a panel of integers.
struct IntegerBlock {
  const uint8_t* integers;  ///< of the block's first row
  const float* parameters;  ///< of the panel: (groups, parameters, vectors * kLanes)
  int64_t group_depth;
  int64_t first;  ///< the block's rows: [first, last) of the weight's
  int64_t last;
};

/// Bytes from an integer that is read to the one that is prefetched meanwhile.
constexpr int64_t kFetchedAhead = 2048;

/// Calls body(k, numbers) with the numbers of a row at `integers`.
template <class Row, int kVectors, class Body>
HWY_INLINE void VisitRow(const uint8_t* integers, const FloatVector (&parameters)[kVectors][Row::kParameters],
                         int64_t k, const Body& body) {
  __builtin_prefetch(integers + kFetchedAhead, 0, 2);
  FloatVector row[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) row[v] = Row::Number(Row::Integers(integers, v), parameters[v]);
  body(k, row);
}

/// Visits the block's rows one after the other, k counted from 0.
template <class Row, int kVectors, bool kUnrolls, class Body>
HWY_INLINE void ForRows(const IntegerBlock& b, const Body& body) {
  const Floats d;
  const uint8_t* integers = b.integers;
  for (int64_t k = b.first; k < b.last;) {
    const int64_t group = k / b.group_depth;
    const int64_t end = std::min(b.last, (group + 1) * b.group_depth);
    FloatVector parameters[kVectors][Row::kParameters];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
#pragma GCC unroll 2
      for (int i = 0; i < Row::kParameters; ++i) {
        const int64_t row = group * Row::kParameters + i;
        parameters[v][i] = hn::LoadU(d, b.parameters + (row * kVectors + v) * kLanes);
      }
    }
    constexpr int64_t kBytes = RowBytes(Row::kBits, kVectors);
    if constexpr (kUnrolls) {
#pragma GCC unroll 4
      for (; k < end; ++k, integers += kBytes) VisitRow<Row>(integers, parameters, k - b.first, body);
    } else {
      for (; k < end; ++k, integers += kBytes) VisitRow<Row>(integers, parameters, k - b.first, body);
    }
  }
}

/// Writes the block's numbers to `target`, (rows, vectors * kLanes).
template <class Row>
struct NumberWriters {
  static constexpr int kVectors = kPanelVectors;
  static constexpr int Height(int64_t /*vectors*/) { return 1; }

  template <int kRows, int kVectors>
  static void Run(const IntegerBlock& b, float* target) {
    ForRows<Row, kVectors, true>(b, [&](int64_t k, const FloatVector(&row)[kVectors]) HWY_ATTR {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) hn::StoreU(row[v], Floats(), target + (k * kVectors + v) * kLanes);
    });
  }
};

/// The largest number of rows of a tile of IntegerTiles.
constexpr int kIntegerTileHeight = HWY_TARGET == HWY_SCALAR ? 2 : 6;

/// Multiplies a tile of few rows by the block, whose numbers never leave the registers.
template <class Row>
struct IntegerTiles {
  static constexpr int kVectors = kPanelVectors;
  static constexpr int Height(int64_t /*vectors*/) { return kIntegerTileHeight; }

  template <int kRows, int kVectors>
  static void Run(const IntegerBlock& b, const float* a, int64_t lda, const TileEpilogue& result) {
    FloatVector sums[kRows][kVectors];
    ClearSums(sums);
    constexpr bool kUnrolls = UnrollsDepth(kRows * kVectors);
    ForRows<Row, kVectors, kUnrolls>(b, [&](int64_t k, const FloatVector(&row)[kVectors]) HWY_ATTR {
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
