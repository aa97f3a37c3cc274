// SPDX-License-Identifier: MIT
// AVX512_VNNI.
#if defined(__x86_64__)
#include <immintrin.h>

#define KUIPER_WORD_TARGET __attribute__((target("avx512f,avx512vnni")))
#include "kernel/product/int16/word_tile_vnni-inl.hpp"

namespace kuiper_infer::kernel {
namespace {

struct Avx512Vnni {
  using Vector = __m512i;
  static constexpr int kLanes = 16;
  static constexpr int kHeights[] = {14, 12, 8, 6};  // sums fill all but a few of the 32 registers

  KUIPER_WORD_TARGET static inline __m512i Zero() { return _mm512_setzero_si512(); }
  KUIPER_WORD_TARGET static inline __m512i Load(const int16_t* from) { return _mm512_loadu_si512(from); }
  KUIPER_WORD_TARGET static inline void Store(__m512i sums, int32_t* to) { _mm512_storeu_si512(to, sums); }
  KUIPER_WORD_TARGET static inline __m512i Pair(const int16_t* numbers) { return _mm512_set1_epi32(PairAt(numbers)); }
  /// With the intrinsic, GCC 12 would move the sums between registers.
  KUIPER_WORD_TARGET static inline __m512i AddPairs(__m512i sum, __m512i a, __m512i weight) {
    __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(weight));
    return sum;
  }
};

}  // namespace

void MultiplyWordsByVnni(const WordProduct& product) { MultiplyByTiles<VnniWordTiles<Avx512Vnni>>(product); }

}  // namespace kuiper_infer::kernel
#endif
