// SPDX-License-Identifier: MIT
// AVX-VNNI: vectors of 256 bits, and half as many registers.
#if defined(__x86_64__)
#include <immintrin.h>

#define KUIPER_WORD_TARGET __attribute__((target("avx2,avxvnni")))
#include "kernel/product/int16/word_tile_vnni-inl.hpp"

namespace kuiper_infer::kernel {
namespace {

struct AvxVnni {
  using Vector = __m256i;
  static constexpr int kLanes = 8;
  static constexpr int kHeights[] = {6};  // by two vectors: all but four of the 16 registers

  KUIPER_WORD_TARGET static inline __m256i Zero() { return _mm256_setzero_si256(); }
  KUIPER_WORD_TARGET static inline __m256i Load(const int16_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  KUIPER_WORD_TARGET static inline void Store(__m256i sums, int32_t* to) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), sums);
  }
  KUIPER_WORD_TARGET static inline __m256i Pair(const int16_t* numbers) { return _mm256_set1_epi32(PairAt(numbers)); }
  /// With the intrinsic, GCC 12 would move the sums between registers.
  KUIPER_WORD_TARGET static inline __m256i AddPairs(__m256i sum, __m256i a, __m256i weight) {
    __asm__("%{vex%} vpdpwssd %2, %1, %0" : "+x"(sum) : "x"(a), "x"(weight));
    return sum;
  }
};

}  // namespace

void MultiplyWordsByAvxVnni(const WordProduct& product) { MultiplyByTiles<VnniWordTiles<AvxVnni>>(product); }

}  // namespace kuiper_infer::kernel
#endif
