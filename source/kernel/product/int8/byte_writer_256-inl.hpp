// SPDX-License-Identifier: MIT
// What becomes of the sums of vectors of 256 bits while they are in registers: the operations of tile_epilogue.cpp, and
// so the same bits. Whoever includes this has defined KUIPER_INT8_TARGET, the instruction set that the functions are
// compiled for.
#pragma once

#include <cstdint>
#include <immintrin.h>

#include "kernel/product/int8/tile.hpp"
#include "kernel/product/int8/tile_epilogue.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Writes bytes, which are counted in steps, of a multiple of eight columns.
class ByteWriter {
 public:
  explicit ByteWriter(const Int8TileEpilogue& result)
      : columns_(result.columns),
        multipliers_(result.multipliers),
        biases_(result.biases),
        residual_(result.residual_bytes),
        residual_ld_(result.residual_ld),
        residual_step_(result.residual_step),
        c_(result.c_bytes),
        ldc_(result.ldc),
        zero_point_(static_cast<int16_t>(result.c_grid.zero_point)),
        least_(static_cast<int8_t>(result.c_grid.least)),
        most_(static_cast<int8_t>(result.c_grid.most)) {}

  /// Writes row `row`, and the next one as well, where they lie under the columns of two vectors from `column` on.
  template <bool kAdds>
  KUIPER_INT8_TARGET inline void WriteRows(int64_t row, int64_t column, const __m256i (&first)[2],
                                           const __m256i (*second)[2]) const {
    const bool whole = column + kInt8Lanes <= columns_;
    const __m256i words = RowWords<kAdds>(row, column, first, whole);
    const __m256i bytes = Bytes(words, second == nullptr ? words : RowWords<kAdds>(row + 1, column, *second, whole));
    Store(_mm256_castsi256_si128(bytes), row, column, whole);
    if (second != nullptr) Store(_mm256_extracti128_si256(bytes, 1), row + 1, column, whole);
  }

  /// Writes a vector's columns of a row, nothing added.
  KUIPER_INT8_TARGET inline void Take(__m256i sums, int64_t row, int64_t column) const {
    const __m256i steps = Steps<false>(sums, row, column, true);
    const __m256i words = Words(steps, steps);
    Store(_mm256_castsi256_si128(Bytes(words, words)), row, column, false);
  }

 private:
  /// The steps, which fit 32 bits, that the sums come to. Columns that are not inside of the result have a residual of
  /// others, and are not written.
  template <bool kAdds>
  KUIPER_INT8_TARGET inline __m256i Steps(__m256i sums, int64_t row, int64_t column, bool inside) const {
    const __m256 multipliers = _mm256_loadu_ps(multipliers_ + column);
    __m256 steps = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sums), multipliers, _mm256_loadu_ps(biases_ + column));
    if constexpr (kAdds) {
      const uint8_t* const from = residual_ + row * residual_ld_ + (inside ? column : 0);
      const __m256i q = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
      steps = _mm256_fmadd_ps(_mm256_cvtepi32_ps(q), _mm256_set1_ps(residual_step_), steps);
    }
    return _mm256_cvtps_epi32(steps);
  }

  /// The q of two vectors' steps, not yet limited: four of the first, four of the second, and so on.
  KUIPER_INT8_TARGET inline __m256i Words(__m256i left, __m256i right) const {
    return _mm256_adds_epi16(_mm256_packs_epi32(left, right), _mm256_set1_epi16(zero_point_));
  }

  template <bool kAdds>
  KUIPER_INT8_TARGET inline __m256i RowWords(int64_t row, int64_t column, const __m256i (&sums)[2], bool whole) const {
    return Words(Steps<kAdds>(sums[0], row, column, true), Steps<kAdds>(sums[1], row, column + kInt8Lanes / 2, whole));
  }

  /// The bytes of two rows, one behind the other.
  KUIPER_INT8_TARGET inline __m256i Bytes(__m256i first, __m256i second) const {
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    const __m256i above = _mm256_max_epu8(_mm256_packus_epi16(first, second), _mm256_set1_epi8(least_));
    return _mm256_permutevar8x32_epi32(_mm256_min_epu8(above, _mm256_set1_epi8(most_)), order);
  }

  KUIPER_INT8_TARGET inline void Store(__m128i bytes, int64_t row, int64_t column, bool whole) const {
    auto* const to = reinterpret_cast<__m128i*>(c_ + row * ldc_ + column);
    whole ? _mm_storeu_si128(to, bytes) : _mm_storel_epi64(to, bytes);
  }

  int64_t columns_;
  const float* multipliers_;
  const float* biases_;
  const uint8_t* residual_;
  int64_t residual_ld_;
  float residual_step_;
  uint8_t* c_;
  int64_t ldc_;
  int16_t zero_point_;
  int8_t least_;
  int8_t most_;
};

}  // namespace
}  // namespace kuiper_infer::kernel
