// SPDX-License-Identifier: MIT
// The tiles of units with vectors of 256 bits. Whoever includes this has defined KUIPER_INT8_TARGET, the instruction
// set that the functions are compiled for, and gives a Unit with
//   kHeight                                             rows of a tile, at most
//   what channel_tile-inl.hpp wants, with Channels256
//   AddProducts<kRows>(a, lda, weight, skipped, sums)   adds the products of one quad of every row, whose beginnings
//                                                       lie at `a` (see Quad), and of two vectors of columns
#pragma once

#include <cstdint>
#include <cstring>
#include <immintrin.h>

#include "kernel/product/int8/channel_tile-inl.hpp"
#include "kernel/product/int8/tile.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr int64_t kHalf = kInt8Lanes / 2;  // sums of a vector

template <class T>
KUIPER_INT8_TARGET inline __m256i Load(const T* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

/// The sums of a Unit.
struct Channels256 {
  static constexpr int kChannelWindows = 4;
  static constexpr int64_t kChannelLanes = kHalf;
  using Vector = __m256i;

  KUIPER_INT8_TARGET static inline __m256i LoadSums(const int32_t* from) { return Load(from); }
  KUIPER_INT8_TARGET static inline void StoreSums(__m256i sums, int32_t* to) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), sums);
  }
};

/// Four numbers of a row, but for the lowest `skipped` bits, which the quad before holds, in every lane.
KUIPER_INT8_TARGET inline __m256i Quad(const uint8_t* numbers, int skipped) {
  uint32_t four = 0;
  std::memcpy(&four, numbers, sizeof(four));
  return _mm256_set1_epi32(static_cast<int>(four >> skipped));
}

/// Sums kInt8Lanes columns from `column` on.
template <class Unit, int kRows>
KUIPER_INT8_TARGET void SumColumns(const Int8Tile& t, int64_t column) {
  const int64_t width = t.vectors * kInt8Lanes;
  __m256i sums[kRows][2];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    sums[r][0] = Load(t.starts + column);
    sums[r][1] = Load(t.starts + column + kHalf);
  }
  const int64_t quads = t.depth / 4;
  const int64_t rest = t.depth % 4;
  const int skipped = static_cast<int>(8 * (4 - rest));
  const int64_t lda = t.lda;
  const int8_t* weight = t.weight + column * 4;
  for (int64_t segment = 0; segment < t.segments; ++segment) {
    const uint8_t* a = t.a + segment * t.segment_stride;
    for (int64_t quad = 0; quad < quads; ++quad, a += 4, weight += width * 4) {
      Unit::template AddProducts<kRows>(a, lda, weight, 0, sums);
    }
    if (rest == 0) continue;
    Unit::template AddProducts<kRows>(a + rest - 4, lda, weight, skipped, sums);
    weight += width * 4;
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    int32_t* const to = t.sums + r * width + column;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), sums[r][0]);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + kHalf), sums[r][1]);
  }
}

template <class Unit, int kRows>
void SumRows(const Int8Tile& t) {
  if constexpr (kRows > 1) {
    if (t.rows < kRows) return SumRows<Unit, kRows - 1>(t);
  }
  for (int64_t v = 0; v < t.vectors; ++v) SumColumns<Unit, kRows>(t, v * kInt8Lanes);
}

template <class Unit>
constexpr Int8Kernel MakeKernel() {
  return {[](int64_t /*vectors*/, int64_t rows) { return DivideUp(rows, DivideUp(rows, Unit::kHeight)); },
          SumRows<Unit, Unit::kHeight>, SumChannels<Unit>};
}

}  // namespace
}  // namespace kuiper_infer::kernel
