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

template <class T>
bool IsDropped(int64_t columns, const T* row) {
  return std::all_of(row, row + columns, [](T score) { return score == -std::numeric_limits<T>::infinity(); });
}

/// Writes e^((x - the largest x) * scale) in units of 1/255 to `bytes`, which has room for whole vectors. Returns one
/// divided by their sum, or NaN if SoftmaxRow gives NaN.
float ExponentialRow(int64_t count, float scale, const float* x, uint8_t* bytes) {
  const ActivationTag d;
  const hn::Rebind<uint8_t, ActivationTag> to;
  const ActivationVector largest = LargestOf(count, x);
  const ActivationVector steepness = hn::Set(d, scale);
  // The sum has no bits for fractions, so the lowest bits are the integer.
  const ActivationVector bare = hn::Set(d, 12582912.0F);  // 3 * 2^22
  double sum = 0;
  for (int64_t first = 0; first < count; first += kSummedInFloat) {
    ActivationVector part = hn::Zero(d);
    ForEachVector(first, std::min(count, first + kSummedInFloat),
                  [&](int64_t i, const auto& load, const auto&, const auto mask) HWY_ATTR {
                    const ActivationVector power = PowerOf(hn::Mul(hn::Sub(load(x), largest), steepness));
                    const ActivationVector steps = hn::MulAdd(power, hn::Set(d, 255.0F), bare);
                    part = hn::Add(part, hn::IfThenElseZero(mask, hn::Sub(steps, bare)));
                    const hn::RebindToUnsigned<ActivationTag> bits;
                    hn::StoreU(hn::TruncateTo(to, hn::BitCast(bits, steps)), to, bytes + i);
                  });
    sum += static_cast<double>(SumOfLanes(part));
  }
  return static_cast<float>(1.0 / sum);
}

}  // namespace

template <class T>
void SoftmaxOfScores(const ScoreMask& mask, bool zero_masked, int64_t rows, int64_t columns, T* scores) {
  for (int64_t i = 0; i < rows; ++i) {
    T* const row = scores + i * columns;
    if (mask.rows != nullptr) MaskRow(mask, i, row);
    if (zero_masked && IsDropped(columns, row)) {
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

void BytesOfScores(const ScoreMask& mask, bool zero_masked, int64_t rows, int64_t columns, float* scores,
                   const ScoreBytes& result) {
  for (int64_t i = 0; i < rows; ++i) {
    float* const row = scores + i * columns;
    float scale = result.scales[i];
    if (mask.rows != nullptr) {
      for (int64_t j = 0; j < columns; ++j) row[j] *= scale;
      MaskRow(mask, i, row);
      scale = 1;
    }
    uint8_t* const bytes = result.bytes + i * result.ld;
    const bool dropped = zero_masked && IsDropped(columns, row);
    if (dropped) std::fill_n(bytes, columns, uint8_t{0});
    result.factors[i] = dropped ? 0 : ExponentialRow(columns, scale, row, bytes);
  }
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(SoftmaxOfFloatScores);
KUIPER_SIMD_TABLE(BytesOfScores);

template <>
void SoftmaxOfScores<float>(const ScoreMask& mask, bool zero_masked, int64_t rows, int64_t columns, float* scores) {
  KUIPER_SIMD(SoftmaxOfFloatScores)(mask, zero_masked, rows, columns, scores);
}
template <>
void SoftmaxOfScores<double>(const ScoreMask& mask, bool zero_masked, int64_t rows, int64_t columns, double* scores) {
  HWY_STATIC_DISPATCH(SoftmaxOfScores<double>)(mask, zero_masked, rows, columns, scores);
}

void SoftmaxBytesOfScores(const ScoreMask& mask, bool zero_masked, int64_t rows, int64_t columns, float* scores,
                          const ScoreBytes& result) {
  KUIPER_SIMD(BytesOfScores)(mask, zero_masked, rows, columns, scores, result);
}

}  // namespace kuiper_infer::kernel
#endif
