// SPDX-License-Identifier: MIT
#if defined(__x86_64__)
#include <cstring>
#include <immintrin.h>

#define KUIPER_INT8_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")))
#include "kernel/product/choose_tile.hpp"
#include "kernel/product/int8/byte_writer_avx512-inl.hpp"
#include "kernel/product/int8/tile.hpp"
#include "kernel/product/int8/unit_avx512-inl.hpp"
#include "kernel/product/int8/write_tiles.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr int kHeights[kInt8Vectors] = {14, 14, 8, 6};  // sums fill all but a few of the 32 registers

/// Four numbers of a row, but for the lowest `skipped` bits, which the quad before holds, in every lane.
KUIPER_INT8_TARGET inline __m512i Quad(const uint8_t* numbers, int skipped) {
  uint32_t four = 0;
  std::memcpy(&four, numbers, sizeof(four));
  return _mm512_set1_epi32(static_cast<int>(four >> skipped));
}

/// Adds the products of one quad of every row, whose beginnings lie at `a`.
template <int kRows, int kVectors>
KUIPER_INT8_TARGET inline void AddProducts(const uint8_t* a, int64_t lda, const int8_t* weight, int skipped,
                                           __m512i (&sums)[kRows][kVectors]) {
  __m512i row[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) row[v] = _mm512_loadu_si512(weight + v * kInt8Lanes * 4);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    const __m512i quad = Quad(a + r * lda, skipped);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[r][v] = Avx512Vnni::AddDot(sums[r][v], quad, row[v]);
  }
}

/// Adds the products of all quads to the sums.
template <int kRows, int kVectors>
KUIPER_INT8_TARGET inline void AddTile(const Int8Tile& t, __m512i (&sums)[kRows][kVectors]) {
  constexpr int64_t kWidth = kVectors * kInt8Lanes;
  constexpr int64_t kAhead = 8192;  // bytes of the weight that are on their way from the second-level cache
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[r][v] = _mm512_loadu_si512(t.starts + v * kInt8Lanes);
  }
  const int64_t quads = t.depth / 4;
  const int64_t rest = t.depth % 4;
  const int skipped = static_cast<int>(8 * (4 - rest));
  const int64_t lda = t.lda;
  const int8_t* weight = t.weight;
  const int8_t* next = t.next;
  for (int64_t segment = 0; segment < t.segments; ++segment) {
    const uint8_t* a = t.a + segment * t.segment_stride;
    for (int64_t quad = 0; quad < quads; ++quad, a += 4, weight += kWidth * 4, next += t.next_stride) {
      __builtin_prefetch(next, 0, 2);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) __builtin_prefetch(weight + kAhead + v * kCacheLine);
      AddProducts(a, lda, weight, 0, sums);
    }
    if (rest == 0) continue;
    AddProducts(a + rest - 4, lda, weight, skipped, sums);
    weight += kWidth * 4;
  }
}

struct SumTiles {
  static constexpr int kVectors = kInt8Vectors;
  static constexpr int Height(int64_t vectors) { return kHeights[vectors - 1]; }

  template <int kRows, int kVectors>
  KUIPER_INT8_TARGET static void Run(const Int8Tile& t) {
    __m512i sums[kRows][kVectors];
    AddTile(t, sums);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        _mm512_storeu_si512(t.sums + (r * kVectors + v) * kInt8Lanes, sums[r][v]);
      }
    }
  }
};

/// Tiles that write the bytes of whole panels.
template <bool kAdds>
struct ByteTiles {
  static constexpr int kHeight = kHeights[kInt8Vectors - 1];
  template <int kRows>
  KUIPER_INT8_TARGET static void Run(const Int8Tile& t, const Int8TileEpilogue& result) {
    __m512i sums[kRows][kInt8Vectors];
    AddTile(t, sums);
    ByteWriter<kAdds> writer(result);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) writer.Write(sums[r]);
  }
};

void Sum(const Int8Tile& tile) { ChooseTile<SumTiles>(tile.vectors, tile.rows)(tile); }

void WriteBytes(const Int8Tile& tile, const Int8TileEpilogue& result) {
  result.residual_bytes != nullptr ? WriteTiles<ByteTiles<true>>(tile, result)
                                   : WriteTiles<ByteTiles<false>>(tile, result);
}

int64_t Height(int64_t vectors, int64_t rows) { return EvenTileHeight(rows, kHeights[vectors - 1]); }

}  // namespace

const Int8Tiles& Avx512VnniInt8Tiles() {
  static constexpr Int8Tiles kKernel = [] {
    Int8Tiles kernel{Height, Sum};
    kernel.write_bytes = WriteBytes;
    return kernel;
  }();
  return kKernel;
}

}  // namespace kuiper_infer::kernel
#endif
