// SPDX-License-Identifier: MIT
// AVX2: multiply-adds of 16-bit integers. Those of bytes would saturate.
#if defined(__x86_64__)
#include <cstring>
#include <immintrin.h>

#include "kernel/product/int8_tile.hpp"

#define KUIPER_AVX2 __attribute__((target("avx2")))

namespace kuiper_infer::kernel {
namespace {

constexpr int kHeight = 4;    // by two vectors, each with two words for a byte: all registers
constexpr int64_t kHalf = 8;  // sums of a vector

/// The numbers of quads, two a vector: those with even places and those with odd ones.
struct Words {
  __m256i even;
  __m256i odd;
};

KUIPER_AVX2 inline Words Signed(const int8_t* weight) {
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weight));
  return {_mm256_srai_epi16(_mm256_slli_epi16(bytes, 8), 8), _mm256_srai_epi16(bytes, 8)};
}

KUIPER_AVX2 inline Words Unsigned(__m256i bytes) {
  return {_mm256_and_si256(bytes, _mm256_set1_epi16(0xFF)), _mm256_srli_epi16(bytes, 8)};
}

KUIPER_AVX2 inline __m256i AddDot(__m256i sum, const Words& a, const Words& weight) {
  const __m256i products = _mm256_madd_epi16(a.even, weight.even);
  return _mm256_add_epi32(_mm256_add_epi32(sum, products), _mm256_madd_epi16(a.odd, weight.odd));
}

/// Four numbers of a row, but for the lowest `skipped` bits, which the quad before holds, in every lane.
KUIPER_AVX2 inline __m256i Quad(const uint8_t* numbers, int skipped) {
  uint32_t four = 0;
  std::memcpy(&four, numbers, sizeof(four));
  return _mm256_set1_epi32(static_cast<int>(four >> skipped));
}

KUIPER_AVX2 inline __m256i Load(const int32_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

/// Adds the products of one quad of every row, whose beginnings lie at `a`.
template <int kRows>
KUIPER_AVX2 inline void AddProducts(const uint8_t* a, int64_t lda, const int8_t* weight, int skipped,
                                    __m256i (&sums)[kRows][2]) {
  const Words low = Signed(weight);
  const Words high = Signed(weight + kHalf * 4);
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
    const __m256i quad = Quad(a + r * lda, skipped);
    const Words factors = Unsigned(quad);
    sums[r][0] = AddDot(sums[r][0], factors, low);
    sums[r][1] = AddDot(sums[r][1], factors, high);
  }
}

/// Sums kInt8Lanes columns from `column` on.
template <int kRows>
KUIPER_AVX2 void SumColumns(const Int8Tile& t, int64_t column) {
  const int64_t width = t.vectors * kInt8Lanes;
  __m256i sums[kRows][2];
#pragma GCC unroll 4
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
#pragma GCC unroll 4
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

const Int8Kernel& Avx2Int8Kernel() {
  static constexpr Int8Kernel kKernel{Height, Sum};
  return kKernel;
}

}  // namespace kuiper_infer::kernel
#endif
