// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

/// The rows of a mask that belong to rows of scores; strides count elements.
struct ScoreMask {
  const void* rows = nullptr;  ///< null: none
  bool marks = false;          ///< the elements are bools; otherwise numbers of the scores' type, which are added
  bool drops = false;          ///< true marks columns to leave out instead of columns to keep
  int64_t columns = 0;         ///< the number of columns of the mask; further columns of the scores are not masked
  int64_t row_stride = 0;
  int64_t stride = 0;
};

/// Replaces rows of scores, one behind the other, by the softmax of the masked scores. A row of -inf gives NaN or, with
/// `zero_masked`, zeros. On the calling thread; instantiated for float and double.
template <class T>
void SoftmaxOfScores(const ScoreMask& mask, bool zero_masked, int64_t rows, int64_t columns, T* scores);

/// Rows of the softmax of scores, rounded to bytes with a scale for each row.
struct ScoreBytes {
  const float* scales = nullptr;  ///< factors of the scores of each row before the softmax: positive, or NaN
  uint8_t* bytes = nullptr;       ///< rows `ld` apart
  int64_t ld = 0;                 ///< the columns rounded up to whole vectors: ScoreBytesPitch
  float* factors = nullptr;       ///< for each row, the number that its bytes have to be multiplied by
};

/// The ld of ScoreBytes.
constexpr int64_t ScoreBytesPitch(int64_t columns) { return (columns + 15) / 16 * 16; }

/// Computes the softmax of rows of scores like SoftmaxOfScores, in units of 1/255 of the row's largest number. If there
/// is a mask, `scores` are overwritten.
void SoftmaxBytesOfScores(const ScoreMask& mask, bool zero_masked, int64_t rows, int64_t columns, float* scores,
                          const ScoreBytes& result);

}  // namespace kuiper_infer::kernel
