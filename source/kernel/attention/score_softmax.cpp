// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/attention/score_softmax.cpp"
#include "kernel/attention/score_softmax.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/normalization/row_functions-inl.hpp"
#include "kernel/normalization/softmax.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Masks row `row` of the scores.
template <class T>
void MaskRow(const ScoreMask& mask, int64_t row, T* scores) {
  constexpr T kDropped = -std::numeric_limits<T>::infinity();
  if (mask.marks) {
    const bool* const marks = static_cast<const bool*>(mask.rows) + row * mask.row_stride;
    for (int64_t j = 0; j < mask.columns; ++j) {
      if (marks[j * mask.stride] == mask.drops) scores[j] = kDropped;
    }
    return;
  }
  const T* const added = static_cast<const T*>(mask.rows) + row * mask.row_stride;
  if (mask.stride == 1) {
    for (int64_t j = 0; j < mask.columns; ++j) scores[j] += added[j];
  } else {
    for (int64_t j = 0; j < mask.columns; ++j) scores[j] += added[j * mask.stride];
  }
}

}  // namespace

template <class T>
void SoftmaxOfScores(const ScoreMask& mask, bool zero_masked, int64_t rows, int64_t columns, T* scores) {
  for (int64_t i = 0; i < rows; ++i) {
    T* const row = scores + i * columns;
    if (mask.rows != nullptr) MaskRow(mask, i, row);
    const auto dropped = [](T score) { return score == -std::numeric_limits<T>::infinity(); };
    if (zero_masked && std::all_of(row, row + columns, dropped)) {
      std::fill_n(row, columns, T(0));
    } else if constexpr (std::is_same_v<T, float>) {
      SoftmaxRow(columns, row, row);
    } else {
      Softmax<T>(SoftmaxKind::kSoftmax, {1, columns, 1}, row, row);
    }
  }
}

void SoftmaxOfFloatScores(const ScoreMask& mask, bool zero_masked, int64_t rows, int64_t columns, float* scores) {
  HWY_NAMESPACE::SoftmaxOfScores<float>(mask, zero_masked, rows, columns, scores);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(SoftmaxOfFloatScores);

template <>
void SoftmaxOfScores<float>(const ScoreMask& mask, bool zero_masked, int64_t rows, int64_t columns, float* scores) {
  KUIPER_SIMD(SoftmaxOfFloatScores)(mask, zero_masked, rows, columns, scores);
}
template <>
void SoftmaxOfScores<double>(const ScoreMask& mask, bool zero_masked, int64_t rows, int64_t columns, double* scores) {
  HWY_STATIC_DISPATCH(SoftmaxOfScores<double>)(mask, zero_masked, rows, columns, scores);
}

}  // namespace kuiper_infer::kernel
#endif
