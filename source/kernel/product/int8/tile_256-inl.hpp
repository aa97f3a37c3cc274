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

#include "kernel/product/int8/byte_writer_256-inl.hpp"
#include "kernel/product/int8/channel_tile-inl.hpp"
#include "kernel/product/int8/tile.hpp"
#include "kernel/product/int8/write_tiles.hpp"

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

/// A Unit that multiplies bytes as they are: AddDot(sum, quads, weight) is the sum plus the products.
template <class Unit>
struct ByteProducts : Channels256 {
  using Weight = __m256i;
  KUIPER_INT8_TARGET static inline __m256i LoadWeight(const int8_t* from) { return Load(from); }
  using Quads = __m256i;
  KUIPER_INT8_TARGET static inline __m256i LoadQuads(const uint8_t* from) { return Load(from); }

  template <int kRows>
  KUIPER_INT8_TARGET static inline void AddProducts(const uint8_t* a, int64_t lda, const int8_t* weight, int skipped,
                                                    __m256i (&sums)[kRows][2]) {
    const __m256i low = Load(weight);
    const __m256i high = Load(weight + kHalf * 4);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const __m256i quad = Quad(a + r * lda, skipped);
      sums[r][0] = Unit::AddDot(sums[r][0], quad, low);
      sums[r][1] = Unit::AddDot(sums[r][1], quad, high);
    }
  }
};

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
      Unit::template AddProducts<kRows>(a, lda, weight, 0, sums);
    }
    if (rest == 0) continue;
    Unit::template AddProducts<kRows>(a + rest - 4, lda, weight, skipped, sums);
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
  kernel.sum_channels = SumChannels<Unit>;
  kernel.write_bytes = WriteBytes<Unit>;
  kernel.byte_columns = kHalf;
  kernel.write_channels = [](const Int8ChannelTile& t, const Int8TileEpilogue& result) {
    SumChannelsTo<Unit>(t, ByteWriter(result));
  };
  kernel.narrow = narrow;
  return kernel;
}

}  // namespace
}  // namespace kuiper_infer::kernel
