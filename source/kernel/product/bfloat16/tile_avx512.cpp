// SPDX-License-Identifier: MIT
// AVX512_BF16: dot products of pairs. Its operations are not among Highway's, so that intrinsics stand here.
#if defined(__x86_64__)
#include <cstring>
#include <immintrin.h>

#include "kernel/product/bfloat16/tile.hpp"
#include "kernel/product/choose_tile.hpp"

#define KUIPER_AVX512_BF16 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16,fma")))

namespace kuiper_infer::kernel {
namespace {

constexpr int kHeights[kBFloat16Vectors] = {14, 14, 8, 6};  // sums fill all but a few of the 32 registers

KUIPER_AVX512_BF16 inline __mmask16 Mask(int64_t lanes) {
  return static_cast<__mmask16>(lanes >= kBFloat16Lanes ? 0xFFFFU : (1U << lanes) - 1U);
}

KUIPER_AVX512_BF16 inline __m512bh Pair(const uint16_t* numbers) {
  int both = 0;
  std::memcpy(&both, numbers, sizeof(both));
  return reinterpret_cast<__m512bh>(_mm512_set1_epi32(both));
}

/// Adds the products of all pairs to the sums.
template <int kRows, int kVectors>
KUIPER_AVX512_BF16 inline void AddTile(const BFloat16Tile& t, __m512 (&sums)[kRows][kVectors]) {
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[r][v] = _mm512_setzero_ps();
  }
  const uint16_t* weight = t.weight;
  const uint16_t* next = t.next;
  const int64_t lda = t.lda;
  for (int64_t segment = 0; segment < t.segments; ++segment) {
    const uint16_t* a = t.a + segment * t.segment_stride;
    // Not unrolled: the few instructions for the loop itself find room beside the dot products.
    for (int64_t pair = 0; pair < t.pairs;
         ++pair, a += 2, weight += kVectors * kBFloat16Lanes * 2, next += t.next_stride) {
      __builtin_prefetch(next, 0, 2);
      __builtin_prefetch(next + t.next_other, 0, 2);
      __m512bh row[kVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        row[v] = reinterpret_cast<__m512bh>(_mm512_loadu_si512(weight + v * kBFloat16Lanes * 2));
      }
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const __m512bh factor = Pair(a + r * lda);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) sums[r][v] = _mm512_dpbf16_ps(sums[r][v], factor, row[v]);
      }
    }
  }
}

KUIPER_AVX512_BF16 inline void Store(float* to, __mmask16 mask, __m512 numbers) {
  _mm512_mask_storeu_ps(to, mask, numbers);
}

/// Rounds the numbers.
KUIPER_AVX512_BF16 inline void Store(uint16_t* to, __mmask16 mask, __m512 numbers) {
  _mm256_mask_storeu_epi16(to, mask, reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(numbers)));
}

/// Computes a tile, whose results go to `c`, in rows ldc apart.
template <int kRows, int kVectors, class T>
KUIPER_AVX512_BF16 inline void MultiplyTo(const BFloat16Tile& t, T* c, int64_t ldc) {
  __m512 sums[kRows][kVectors];
  AddTile(t, sums);
  const TileEpilogue& result = t.result;
  const __m512 least = _mm512_set1_ps(result.least);
  const __m512 most = _mm512_set1_ps(result.most);
  const __mmask16 last = Mask(result.columns - (kVectors - 1) * kBFloat16Lanes);
  const float* const bias = result.bias;
  const float* residual = result.residual;
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const int64_t j = v * kBFloat16Lanes;
      const __mmask16 mask = v + 1 < kVectors ? Mask(kBFloat16Lanes) : last;
      __m512 sum = sums[r][v];
      if (residual != nullptr) sum = _mm512_add_ps(sum, _mm512_maskz_loadu_ps(mask, residual + j));
      if (bias != nullptr) sum = _mm512_add_ps(sum, _mm512_maskz_loadu_ps(mask, bias + j));
      // If an operand is NaN, these instructions return the second one, so a NaN stays.
      sum = _mm512_min_ps(most, _mm512_max_ps(least, sum));
      Store(c + j, mask, sum);
    }
    c += ldc;
    residual += residual != nullptr ? result.residual_ld : 0;
    // Otherwise GCC 12 computes the addresses of all rows ahead, and has no registers for them.
    __asm__("" : "+r"(c), "+r"(residual));
  }
}

/// Tiles of whole panels whose results are rounded.
struct RoundedTiles {
  static constexpr int kHeight = kHeights[kBFloat16Vectors - 1];
  template <int kRows>
  KUIPER_AVX512_BF16 static void Run(const BFloat16Tile& t, uint16_t* c, int64_t ldc) {
    MultiplyTo<kRows, kBFloat16Vectors>(t, c, ldc);
  }
};

struct Tiles {
  static constexpr int kVectors = kBFloat16Vectors;
  static constexpr int Height(int64_t vectors) { return kHeights[vectors - 1]; }
  template <int kRows, int kVectors>
  KUIPER_AVX512_BF16 static void Run(const BFloat16Tile& t) {
    MultiplyTo<kRows, kVectors>(t, t.result.c, t.result.ldc);
  }
};

void Multiply(const BFloat16Tile& tile) { ChooseTile<Tiles>(tile.vectors, tile.rows)(tile); }

void MultiplyRounded(const BFloat16Tile& tile, uint16_t* c, int64_t ldc) {
  ChooseTileOfRows<RoundedTiles>(tile.rows)(tile, c, ldc);
}

int64_t Height(int64_t vectors, int64_t rows) { return EvenTileHeight(rows, kHeights[vectors - 1]); }

KUIPER_AVX512_BF16 inline __m512 Load(__mmask16 mask, const float* from) { return _mm512_maskz_loadu_ps(mask, from); }

/// Widens the numbers.
KUIPER_AVX512_BF16 inline __m512 Load(__mmask16 mask, const uint16_t* from) {
  const __m512i words = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, from));
  return _mm512_castsi512_ps(_mm512_slli_epi32(words, 16));
}

KUIPER_AVX512_BF16 void Round(const float* from, int64_t count, uint16_t* to) {
  for (int64_t i = 0; i < count; i += kBFloat16Lanes) {
    const __mmask16 mask = Mask(count - i);
    Store(to + i, mask, Load(mask, from + i));
  }
}

KUIPER_AVX512_BF16 void Widen(const uint16_t* from, int64_t count, float* to) {
  for (int64_t i = 0; i < count; i += kBFloat16Lanes) {
    const __mmask16 mask = Mask(count - i);
    Store(to + i, mask, Load(mask, from + i));
  }
}

template <class T>
KUIPER_AVX512_BF16 inline void ScaleNumbers(const T* from, const float* factors, int64_t count, uint16_t* to) {
  for (int64_t i = 0; i < count; i += kBFloat16Lanes) {
    const __mmask16 mask = Mask(count - i);
    Store(to + i, mask, _mm512_mul_ps(Load(mask, from + i), Load(mask, factors + i)));
  }
}

KUIPER_AVX512_BF16 void Scale(const float* from, const float* factors, int64_t count, uint16_t* to) {
  ScaleNumbers(from, factors, count, to);
}

KUIPER_AVX512_BF16 void ScaleBFloat16(const uint16_t* from, const float* factors, int64_t count, uint16_t* to) {
  ScaleNumbers(from, factors, count, to);
}

}  // namespace

const BFloat16Tiles& Avx512BFloat16Tiles() {
  static constexpr BFloat16Tiles kKernel = [] {
    BFloat16Tiles kernel{8, 112, 1, 2, Height, Multiply, Round, Widen, Scale, ScaleBFloat16};
    kernel.multiply_rounded = MultiplyRounded;
    return kernel;
  }();
  return kKernel;
}

}  // namespace kuiper_infer::kernel
#endif
