// SPDX-License-Identifier: MIT
// AVX-VNNI: dot products of four bytes in vectors of 256 bits. Its operations are not among Highway's, so that
// intrinsics stand here.
#if defined(__x86_64__)
#include <cstring>
#include <immintrin.h>

#include "kernel/product/int8_tile.hpp"

#define KUIPER_AVX_VNNI __attribute__((target("avx2,avxvnni")))

namespace kuiper_infer::kernel {
namespace {

constexpr int kHeight = 6;    // by two vectors: sums fill all but four of the 16 registers
constexpr int64_t kHalf = 8;  // sums of a vector

/// `sum` plus the products of unsigned by signed bytes; see int8_tile_avx512.cpp for why this is no intrinsic.
KUIPER_AVX_VNNI inline __m256i AddDot(__m256i sum, __m256i a, __m256i weight) {
  __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum) : "x"(a), "x"(weight));
  return sum;
}

KUIPER_AVX_VNNI inline __m256i Load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }

/// Four numbers of a row, but for the lowest `skipped` bits, which the quad before holds, in every lane.
KUIPER_AVX_VNNI inline __m256i Quad(const uint8_t* numbers, int skipped) {
  uint32_t four = 0;
  std::memcpy(&four, numbers, sizeof(four));
  return _mm256_set1_epi32(static_cast<int>(four >> skipped));
}

/// Adds the products of one quad of every row, whose beginnings lie at `a`.
template <int kRows>
KUIPER_AVX_VNNI inline void AddProducts(const uint8_t* a, int64_t lda, const int8_t* weight, int skipped,
                                        __m256i (&sums)[kRows][2]) {
  const __m256i low = Load(weight);
  const __m256i high = Load(weight + kHalf * 4);
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    const __m256i quad = Quad(a + r * lda, skipped);
    sums[r][0] = AddDot(sums[r][0], quad, low);
    sums[r][1] = AddDot(sums[r][1], quad, high);
  }
}

/// Sums kInt8Lanes columns from `column` on.
template <int kRows>
KUIPER_AVX_VNNI void SumColumns(const Int8Tile& t, int64_t column) {
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
      AddProducts(a, lda, weight, 0, sums);
    }
    if (rest == 0) continue;
    AddProducts(a + rest - 4, lda, weight, skipped, sums);
    weight += width * 4;
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    int32_t* const to = t.sums + r * width + column;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), sums[r][0]);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + kHalf), sums[r][1]);
  }
}

template <int kRows = kHeight>
void SumRows(const Int8Tile& t) {
  if constexpr (kRows > 1) {
    if (t.rows < kRows) return SumRows<kRows - 1>(t);
  }
  for (int64_t v = 0; v < t.vectors; ++v) SumColumns<kRows>(t, v * kInt8Lanes);
}

void Sum(const Int8Tile& tile) { SumRows(tile); }

int64_t Height(int64_t /*vectors*/) { return kHeight; }

}  // namespace

const Int8Kernel& AvxVnniInt8Kernel() {
  static constexpr Int8Kernel kKernel{Height, Sum};
  return kKernel;
}

}  // namespace kuiper_infer::kernel
#endif
