// SPDX-License-Identifier: MIT
// AVX512_VNNI: dot products of four bytes. Its operations are not among Highway's, so that intrinsics stand here.
// Whoever includes this has defined KUIPER_INT8_TARGET, the instruction set that the functions are compiled for.
#pragma once

#include <cstdint>
#include <immintrin.h>

#include "kernel/product/int8/tile.hpp"

namespace kuiper_infer::kernel {
namespace {

struct Avx512Vnni {
  static constexpr int64_t kLanes = kInt8Lanes;
  using Vector = __m512i;
  using Quads = __m512i;
  using Weight = __m512i;

  KUIPER_INT8_TARGET static inline __m512i LoadSums(const int32_t* from) { return _mm512_loadu_si512(from); }
  KUIPER_INT8_TARGET static inline void StoreSums(__m512i sums, int32_t* to) { _mm512_storeu_si512(to, sums); }
  KUIPER_INT8_TARGET static inline __m512i LoadWeight(const int8_t* from) { return _mm512_loadu_si512(from); }
  KUIPER_INT8_TARGET static inline __m512i LoadQuads(const uint8_t* from) { return _mm512_loadu_si512(from); }

  /// `sum` plus the products of unsigned by signed bytes. By GCC 12's intrinsic the sums move from register to
  /// register, which takes more than twice the time.
  KUIPER_INT8_TARGET static inline __m512i AddDot(__m512i sum, __m512i a, __m512i weight) {
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(weight));
    return sum;
  }
};

}  // namespace
}  // namespace kuiper_infer::kernel
