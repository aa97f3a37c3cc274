// SPDX-License-Identifier: MIT
// What becomes of a tile's sums while they are in registers: the operations of tile_epilogue.cpp, and so the same bits.
#pragma once

#include <cstdint>
#include <immintrin.h>

#include "kernel/product/int8/tile.hpp"
#include "kernel/product/int8/tile_epilogue.hpp"

#define KUIPER_AVX512_BYTES __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))

namespace kuiper_infer::kernel {
namespace {

/// The steps of a result's grid, which fit 32 bits, that sums come to.
class StepsOfSums {
 public:
  explicit StepsOfSums(const Int8TileEpilogue& result)
      : multipliers_(result.multipliers), biases_(result.biases), residual_step_(result.residual_step) {}

  /// The steps that the sums of the columns from `column` on come to.
  KUIPER_AVX512_BYTES inline __m512 Steps(__m512i sums, int64_t column) const {
    const __m512 multipliers = _mm512_loadu_ps(multipliers_ + column);
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(sums), multipliers, _mm512_loadu_ps(biases_ + column));
  }

  /// Those with a residual's bytes.
  KUIPER_AVX512_BYTES inline __m512 WithResidual(__m512 steps, const uint8_t* bytes) const {
    const __m512i q = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(q), _mm512_set1_ps(residual_step_), steps);
  }

 private:
  const float* multipliers_;
  const float* biases_;
  float residual_step_;
};

/// Writes rows of bytes, of all columns of a panel, which are counted in steps, with a residual of bytes or none.
template <bool kAdds>
class ByteWriter {
 public:
  explicit ByteWriter(const Int8TileEpilogue& result)
      : result_(result),
        c_(result.c_bytes),
        residual_(result.residual_bytes),
        least_(static_cast<int8_t>(result.c_grid.least)),
        most_(static_cast<int8_t>(result.c_grid.most)),
        steps_(result) {}

  /// Writes the next row.
  KUIPER_AVX512_BYTES inline void Write(const __m512i (&sums)[kInt8Vectors]) {
    const __m512i left = Words(Steps(0, sums[0]), Steps(1, sums[1]));
    const __m512i right = Words(Steps(2, sums[2]), Steps(3, sums[3]));
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i above = _mm512_max_epu8(_mm512_packus_epi16(left, right), _mm512_set1_epi8(least_));
    const __m512i bytes = _mm512_min_epu8(above, _mm512_set1_epi8(most_));
    _mm512_storeu_si512(c_, _mm512_permutexvar_epi32(order, bytes));
    c_ += result_.ldc;
    if constexpr (kAdds) residual_ += result_.residual_ld;
  }

 private:
  /// The steps of vector v.
  KUIPER_AVX512_BYTES inline __m512i Steps(int v, __m512i sums) const {
    const int64_t j = v * kInt8Lanes;
    __m512 steps = steps_.Steps(sums, j);
    if constexpr (kAdds) steps = steps_.WithResidual(steps, residual_ + j);
    return _mm512_cvtps_epi32(steps);
  }

  /// The q of two vectors' steps, not yet limited: four of the first, four of the second, and so on.
  KUIPER_AVX512_BYTES inline __m512i Words(__m512i first, __m512i second) const {
    const __m512i zero_point = _mm512_set1_epi16(static_cast<int16_t>(result_.c_grid.zero_point));
    return _mm512_adds_epi16(_mm512_packs_epi32(first, second), zero_point);
  }

  const Int8TileEpilogue& result_;
  uint8_t* c_;
  const uint8_t* residual_;
  int8_t least_;
  int8_t most_;
  StepsOfSums steps_;
};

}  // namespace
}  // namespace kuiper_infer::kernel
