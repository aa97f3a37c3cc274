// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_ATTENTION_SCORE_WEIGHTS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_ATTENTION_SCORE_WEIGHTS_INL_HPP_
#undef KUIPER_KERNEL_ATTENTION_SCORE_WEIGHTS_INL_HPP_
#else
#define KUIPER_KERNEL_ATTENTION_SCORE_WEIGHTS_INL_HPP_
#endif

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "kernel/attention/cache_elements-inl.hpp"
#include "kernel/attention/int8_rows.hpp"
#include "kernel/attention/streamed_tile.hpp"
#include "kernel/normalization/row_functions-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

constexpr float kDropped = -std::numeric_limits<float>::infinity();
/// Scores are multiplied by it, so that 2^score replaces e^score.
constexpr float kLog2E = 1.44269504F;

/// 2^x for x that is not above zero; zero below 2^-126. NaN stays NaN.
HWY_INLINE FloatVector WeightOf(const FloatVector x) {
  const Floats d;
  const FloatVector least = hn::Set(d, -126.0F);
  const FloatVector large = hn::Set(d, kLargeForExponents);
  const FloatVector limited = AtLeast(least, x);
  const FloatVector shifted = hn::Add(limited, large);
  return hn::IfThenZeroElse(hn::Lt(x, least), PowerOfTwo(shifted, hn::Sub(limited, hn::Sub(shifted, large))));
}

/// The place in the mask of column `first` of a row of the tile.
inline int64_t MaskPlace(const StreamedTile& t, int64_t row, int64_t first) {
  const int64_t r = t.first + row;
  return r % t.group * t.mask.head_stride + r / t.group * t.mask.row_stride + first * t.mask.stride;
}

/// Whether the mask leaves out columns [first, first + count) of all rows of the tile.
inline bool MaskDropsAll(const StreamedTile& t, int64_t first, int64_t count) {
  const TileMask& mask = t.mask;
  if (mask.data == nullptr || first + count > mask.columns) return false;
  for (int64_t row = t.rows - 1; row >= 0; --row) {  // later positions see more
    const int64_t start = MaskPlace(t, row, first);
    for (int64_t j = 0; j < count; ++j) {
      const int64_t at = start + j * mask.stride;
      const bool dropped = mask.marks ? static_cast<const bool*>(mask.data)[at] == mask.drops
                                      : static_cast<const float*>(mask.data)[at] == kDropped;
      if (!dropped) return false;
    }
  }
  return true;
}

inline void MarkScores(const bool* marks, int64_t stride, bool drops, int64_t count, float* scores) {
  for (int64_t j = 0; j < count; ++j) scores[j] = marks[j * stride] == drops ? kDropped : scores[j];
}

/// An addend of the mask in units of scores. Finite addends stay finite: models write the lowest float for what they
/// leave out, and a row that has nothing else weighs all columns alike.
inline float ScaledAddend(float addend) {
  constexpr float kMost = 2.3e38F;  // times kLog2E it is less than the largest float
  return kLog2E * (std::isinf(addend) ? addend : std::clamp(addend, -kMost, kMost));
}

/// Applies the mask to `scores`, the scores of columns [first, first + count) of a row of the tile.
inline void MaskScores(const StreamedTile& t, int64_t row, int64_t first, int64_t count, float* scores) {
  const TileMask& mask = t.mask;
  const int64_t masked = std::min(count, mask.columns - first);
  const int64_t start = MaskPlace(t, row, first);
  if (mask.marks) {
    const bool* const marks = static_cast<const bool*>(mask.data) + start;
    if (mask.stride == 1) return MarkScores(marks, 1, mask.drops, masked, scores);  // compiled to vectors
    MarkScores(marks, mask.stride, mask.drops, masked, scores);
  } else {
    const float* const added = static_cast<const float*>(mask.data) + start;
    for (int64_t j = 0; j < masked; ++j) scores[j] += ScaledAddend(added[j * mask.stride]);
  }
}

/// Replaces a row of scores by 2^(score - largest) and updates the row's largest score and sum of weights. Columns
/// [visible, columns) get weight 0. Returns the factor by which the row's sums of values so far have to be multiplied.
inline float WeighScores(int64_t visible, int64_t columns, float* scores, float& largest, float& weights) {
  const ActivationTag d;
  const float block = hn::GetLane(LargestOf(visible, scores));
  const float former = largest;
  if (!(block <= former)) largest = block;  // NaN as well
  if (largest == kDropped) {
    if (std::all_of(scores, scores + visible, [](float score) { return score == kDropped; })) {
      std::fill_n(scores, columns, 0.0F);
      return 1;
    }
    largest = std::numeric_limits<float>::quiet_NaN();  // x86's maximum leaves NaN out
  }
  const ActivationVector most = hn::Set(d, largest);
  ActivationVector sum = hn::Zero(d);
  ForEachVector(0, visible, [&](int64_t, const auto& load, const auto& store, const auto mask) HWY_ATTR {
    const ActivationVector power = WeightOf(hn::Sub(load(scores), most));
    sum = hn::Add(sum, hn::IfThenElseZero(mask, power));
    store(power, scores);
  });
  std::fill(scores + visible, scores + columns, 0.0F);
  const float factor = largest == former ? 1.0F : std::exp2(former - largest);
  weights = weights * factor + SumOfLanes(sum);
  return factor;
}

/// Multiplies a row of scores or weights by the scales of int8 rows of keys or values. Other rows have no scales.
template <class T>
void MultiplyByScales(int64_t count, const T* rows, int64_t stride, int64_t width, float* scores) {
  if constexpr (std::is_same_v<T, int8_t>) {
    for (int64_t j = 0; j < count; ++j) scores[j] *= ScaleOfInt8Row(rows + j * stride, width);
  }
}

template <class T>
const float* ConvertRows(const T* rows, int64_t stride, int64_t count, int64_t width, float* floats) {
  const int64_t whole = RoundDown(width, kLanes);
  const CacheElements<T> elements(width - whole);
  for (int64_t j = 0; j < count; ++j) {
    float* const to = floats + j * TilePitch(width);
    for (int64_t k = 0; k < whole; k += kLanes) {
      hn::Store(CacheElements<T>::Whole(rows + j * stride + k), Floats(), to + k);
    }
    if (whole < width) hn::Store(elements.Partial(rows + j * stride + whole), Floats(), to + whole);
  }
  return floats;
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
