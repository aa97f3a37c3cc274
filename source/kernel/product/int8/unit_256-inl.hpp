// SPDX-License-Identifier: MIT
// Units that multiply bytes in vectors of 256 bits: each has LoadSums, StoreSums, LoadWeight, LoadQuads, Factors, which
// makes Quads of bytes in a register, and AddDot(sum, quads, weight), the sum plus the products. Whoever includes this
// has defined KUIPER_INT8_TARGET, the instruction set that the functions are compiled for.
#pragma once

#include <cstdint>
#include <immintrin.h>

#include "kernel/product/int8/tile.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class T>
KUIPER_INT8_TARGET inline __m256i Load(const T* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

/// The sums of a unit.
struct Sums256 {
  static constexpr int64_t kLanes = kInt8Lanes / 2;  // sums of a vector
  using Vector = __m256i;

  KUIPER_INT8_TARGET static inline __m256i LoadSums(const int32_t* from) { return Load(from); }
  KUIPER_INT8_TARGET static inline void StoreSums(__m256i sums, int32_t* to) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), sums);
  }
};

/// The factors of a unit that multiplies bytes as they are.
struct Bytes256 : Sums256 {
  using Weight = __m256i;
  KUIPER_INT8_TARGET static inline __m256i LoadWeight(const int8_t* from) { return Load(from); }
  using Quads = __m256i;
  KUIPER_INT8_TARGET static inline __m256i LoadQuads(const uint8_t* from) { return Load(from); }
  KUIPER_INT8_TARGET static inline __m256i Factors(__m256i bytes) { return bytes; }
};

/// AVX2's multiply-adds of 16-bit integers.
struct Avx2 : Sums256 {
  /// The numbers of quads as words, in two vectors: those with even places and those with odd ones.
  struct Words {
    __m256i even;
    __m256i odd;
  };

  using Weight = Words;
  KUIPER_INT8_TARGET static inline Words LoadWeight(const int8_t* from) {
    const __m256i bytes = Load(from);
    return {_mm256_srai_epi16(_mm256_slli_epi16(bytes, 8), 8), _mm256_srai_epi16(bytes, 8)};
  }
  using Quads = Words;
  KUIPER_INT8_TARGET static inline Words LoadQuads(const uint8_t* from) { return Factors(Load(from)); }
  KUIPER_INT8_TARGET static inline Words Factors(__m256i bytes) {
    return {_mm256_and_si256(bytes, _mm256_set1_epi16(0xFF)), _mm256_srli_epi16(bytes, 8)};
  }

  KUIPER_INT8_TARGET static inline __m256i AddDot(__m256i sum, const Words& a, const Words& weight) {
    const __m256i products = _mm256_madd_epi16(a.even, weight.even);
    return _mm256_add_epi32(_mm256_add_epi32(sum, products), _mm256_madd_epi16(a.odd, weight.odd));
  }
};

/// AVX2's multiply-adds of bytes, for narrow panels.
struct NarrowAvx2 : Bytes256 {
  KUIPER_INT8_TARGET static inline __m256i AddDot(__m256i sum, __m256i a, __m256i weight) {
    const __m256i pairs = _mm256_maddubs_epi16(a, weight);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  }
};

/// AVX-VNNI's dot products of four bytes.
struct AvxVnni : Bytes256 {
  /// `sum` plus the products of unsigned by signed bytes; see unit_avx512-inl.hpp for why this is no intrinsic.
  KUIPER_INT8_TARGET static inline __m256i AddDot(__m256i sum, __m256i a, __m256i weight) {
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum) : "x"(a), "x"(weight));
    return sum;
  }
};

}  // namespace
}  // namespace kuiper_infer::kernel
