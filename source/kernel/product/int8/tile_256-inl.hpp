// SPDX-License-Identifier: MIT
// The tiles of units with vectors of 256 bits. Whoever includes this has defined KUIPER_INT8_TARGET, the instruction
// set that the functions are compiled for, and gives a Unit of unit_256-inl.hpp with kHeight, rows of a tile, at most.
#pragma once

#include <cstdint>
#include <cstring>
#include <immintrin.h>

#include "kernel/product/int8/byte_writer_256-inl.hpp"
#include "kernel/product/int8/tile.hpp"
#include "kernel/product/int8/unit_256-inl.hpp"
#include "kernel/product/int8/write_tiles.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr int64_t kHalf = Sums256::kLanes;

/// Four numbers of a row, but for the lowest `skipped` bits, which the quad before holds, in every lane.
KUIPER_INT8_TARGET inline __m256i Quad(const uint8_t* numbers, int skipped) {
  uint32_t four = 0;
  std::memcpy(&four, numbers, sizeof(four));
  return _mm256_set1_epi32(static_cast<int>(four >> skipped));
}

/// Adds the products of one quad of every row, whose beginnings lie at `a`, and of two vectors of columns.
template <class Unit, int kRows>
KUIPER_INT8_TARGET inline void AddProducts(const uint8_t* a, int64_t lda, const int8_t* weight, int skipped,
                                           __m256i (&sums)[kRows][2]) {
  const typename Unit::Weight low = Unit::LoadWeight(weight);
  const typename Unit::Weight high = Unit::LoadWeight(weight + kHalf * 4);
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    const typename Unit::Quads factors = Unit::Factors(Quad(a + r * lda, skipped));
    sums[r][0] = Unit::AddDot(sums[r][0], factors, low);
    sums[r][1] = Unit::AddDot(sums[r][1], factors, high);
  }
}

/// Sums kInt8Lanes columns from `column` on.
template <class Unit, int kRows>
KUIPER_INT8_TARGET inline void SumColumns(const Int8Tile& t, int64_t column, __m256i (&sums)[kRows][2]) {
  const int64_t width = t.vectors * kInt8Lanes;
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
      AddProducts<Unit>(a, lda, weight, 0, sums);
    }
    if (rest == 0) continue;
    AddProducts<Unit>(a + rest - 4, lda, weight, skipped, sums);
    weight += width * 4;
  }
}

/// Tiles that give their sums.
template <class Unit>
struct SumTiles {
  static constexpr int kHeight = Unit::kHeight;
  template <int kRows>
  KUIPER_INT8_TARGET static void Run(const Int8Tile& t) {
    const int64_t width = t.vectors * kInt8Lanes;
    for (int64_t column = 0; column < width; column += kInt8Lanes) {
      __m256i sums[kRows][2];
      SumColumns<Unit>(t, column, sums);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        Unit::StoreSums(sums[r][0], t.sums + r * width + column);
        Unit::StoreSums(sums[r][1], t.sums + r * width + column + kHalf);
      }
    }
  }
};

/// Tiles that write the bytes that their sums come to.
template <class Unit, bool kAdds>
struct ByteTiles {
  static constexpr int kHeight = Unit::kHeight;
  template <int kRows>
  KUIPER_INT8_TARGET static void Run(const Int8Tile& t, const Int8TileEpilogue& result) {
    const ByteWriter writer(result);
    for (int64_t column = 0; column < result.columns; column += kInt8Lanes) {
      __m256i sums[kRows][2];
      SumColumns<Unit>(t, column, sums);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; r += 2) {
        writer.template WriteRows<kAdds>(r, column, sums[r], r + 1 < kRows ? &sums[r + 1] : nullptr);
      }
    }
  }
};

template <class Unit>
void WriteBytes(const Int8Tile& t, const Int8TileEpilogue& result) {
  result.residual_bytes != nullptr ? WriteTiles<ByteTiles<Unit, true>>(t, result)
                                   : WriteTiles<ByteTiles<Unit, false>>(t, result);
}

template <class Unit>
constexpr Int8Tiles MakeKernel(const Int8Tiles* narrow = nullptr) {
  Int8Tiles kernel{};
  kernel.height = [](int64_t /*vectors*/, int64_t rows) { return EvenTileHeight(rows, Unit::kHeight); };
  kernel.sum = [](const Int8Tile& t) { ChooseTileOfRows<SumTiles<Unit>>(t.rows)(t); };
  kernel.write_bytes = WriteBytes<Unit>;
  kernel.byte_columns = kHalf;
  kernel.narrow = narrow;
  return kernel;
}

}  // namespace
}  // namespace kuiper_infer::kernel
