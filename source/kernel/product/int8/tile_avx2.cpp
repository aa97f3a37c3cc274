// SPDX-License-Identifier: MIT
// AVX2: multiply-adds of 16-bit integers. Multiply-adds of bytes add two neighbouring products in 16 bits and saturate,
// so they are used only for narrow pairs.
#if defined(__x86_64__)
#define KUIPER_INT8_TARGET __attribute__((target("avx2,fma")))
#include "kernel/product/int8/tile_256-inl.hpp"

namespace kuiper_infer::kernel {
namespace {

struct Avx2 : Channels256 {
  static constexpr int kHeight = 4;  // by two vectors, each with two words for a byte: all registers

  /// The numbers of groups of four as words, in two vectors: numbers at even places and numbers at odd places.
  struct Words {
    __m256i even;
    __m256i odd;
  };

  KUIPER_INT8_TARGET static inline Words Signed(__m256i bytes) {
    return {_mm256_srai_epi16(_mm256_slli_epi16(bytes, 8), 8), _mm256_srai_epi16(bytes, 8)};
  }

  KUIPER_INT8_TARGET static inline Words Unsigned(__m256i bytes) {
    return {_mm256_and_si256(bytes, _mm256_set1_epi16(0xFF)), _mm256_srli_epi16(bytes, 8)};
  }

  KUIPER_INT8_TARGET static inline __m256i AddDot(__m256i sum, const Words& a, const Words& weight) {
    const __m256i products = _mm256_madd_epi16(a.even, weight.even);
    return _mm256_add_epi32(_mm256_add_epi32(sum, products), _mm256_madd_epi16(a.odd, weight.odd));
  }

  using Weight = Words;
  KUIPER_INT8_TARGET static inline Words LoadWeight(const int8_t* from) { return Signed(Load(from)); }
  using Quads = Words;
  KUIPER_INT8_TARGET static inline Words LoadQuads(const uint8_t* from) { return Unsigned(Load(from)); }

  template <int kRows>
  KUIPER_INT8_TARGET static inline void AddProducts(const uint8_t* a, int64_t lda, const int8_t* weight, int skipped,
                                                    __m256i (&sums)[kRows][2]) {
    const Words low = Signed(Load(weight));
    const Words high = Signed(Load(weight + kHalf * 4));
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const Words factors = Unsigned(Quad(a + r * lda, skipped));
      sums[r][0] = AddDot(sums[r][0], factors, low);
      sums[r][1] = AddDot(sums[r][1], factors, high);
    }
  }
};

/// Multiply-adds of bytes, for narrow panels.
struct NarrowAvx2 : ByteProducts<NarrowAvx2> {
  static constexpr int kHeight = 5;  // by two vectors: sums, two weights, ones and what is being multiplied

  KUIPER_INT8_TARGET static inline __m256i AddDot(__m256i sum, __m256i a, __m256i weight) {
    const __m256i pairs = _mm256_maddubs_epi16(a, weight);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  }
};

}  // namespace

const Int8Tiles& Avx2Int8Tiles() {
  static constexpr Int8Tiles kNarrow = MakeKernel<NarrowAvx2>();
  static constexpr Int8Tiles kKernel = MakeKernel<Avx2>(&kNarrow);
  return kKernel;
}

}  // namespace kuiper_infer::kernel
#endif
