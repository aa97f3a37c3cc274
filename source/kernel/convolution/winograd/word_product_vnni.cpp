// SPDX-License-Identifier: MIT
// AVX512_VNNI: dot products of two words. Its operations are not among Highway's, so that intrinsics stand here.
#if defined(__x86_64__)
#include <cstring>
#include <immintrin.h>

#include "kernel/convolution/winograd/word_product.hpp"
#include "kernel/convolution/winograd/word_tiles.hpp"

#define KUIPER_WORD_TARGET __attribute__((target("avx512f,avx512vnni")))

namespace kuiper_infer::kernel {
namespace {

/// `sum` plus the products of pairs of words. By GCC 12's intrinsic the sums move from register to register.
KUIPER_WORD_TARGET inline __m512i AddPairs(__m512i sum, __m512i a, __m512i weight) {
  __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(weight));
  return sum;
}

/// Two numbers of a row in every lane.
KUIPER_WORD_TARGET inline __m512i Pair(const int16_t* numbers) {
  int32_t pair = 0;
  std::memcpy(&pair, numbers, sizeof(pair));
  return _mm512_set1_epi32(pair);
}

/// Tiles of so many rows by so many panels.
struct WordTiles {
  static constexpr int kVectors = 4;
  static constexpr int Height(int64_t panels) {
    constexpr int kHeights[kVectors] = {14, 12, 8, 6};  // sums fill all but a few of the 32 registers
    return kHeights[panels - 1];
  }

  template <int kRows, int kPanels>
  KUIPER_WORD_TARGET static void Run(const WordProduct& p, int64_t row, int64_t column, ComingWeight coming) {
    const int64_t depth = p.depth;
    const int16_t* a = p.a + row * depth;
    const int16_t* weight = p.weight + column * depth;
    __m512i sums[kRows][kPanels];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < kPanels; ++v) sums[r][v] = _mm512_setzero_si512();
    }
    for (int64_t k = 0; k < depth; k += 2, weight += 2 * kWordColumns) {
      coming.Fetch();
      __m512i factors[kPanels];
#pragma GCC unroll 4
      for (int v = 0; v < kPanels; ++v) factors[v] = _mm512_loadu_si512(weight + v * kWordColumns * depth);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const __m512i pair = Pair(a + r * depth + k);
#pragma GCC unroll 4
        for (int v = 0; v < kPanels; ++v) sums[r][v] = AddPairs(sums[r][v], pair, factors[v]);
      }
    }
    int32_t* to = p.sums + row * p.columns + column;
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r, to += p.columns) {
#pragma GCC unroll 4
      for (int v = 0; v < kPanels; ++v) _mm512_storeu_si512(to + v * kWordColumns, sums[r][v]);
    }
  }
};

}  // namespace

void MultiplyWordsByVnni(const WordProduct& product) { MultiplyByTiles<WordTiles>(product); }

}  // namespace kuiper_infer::kernel
#endif
