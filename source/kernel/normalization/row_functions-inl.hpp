// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_ROW_FUNCTIONS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_ROW_FUNCTIONS_INL_HPP_
#undef KUIPER_KERNEL_ROW_FUNCTIONS_INL_HPP_
#else
#define KUIPER_KERNEL_ROW_FUNCTIONS_INL_HPP_
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <hwy/highway.h>

#include "kernel/elementwise/vector_functions-inl.hpp"
#include "kernel/float_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The functions that transformers apply to every row of floats, without loops over single elements at the end.

/// The number of elements that are summed in float. The sums of these pieces are added in double.
constexpr int64_t kSummedInFloat = 4096;

/// Calls body(offset, load, store, mask) for the vectors of [first, last). If the last vector is partial, `load` gives
/// zero in the lanes after `last`, and `store` does not write them.
template <class Body>
HWY_INLINE void ForEachVector(int64_t first, int64_t last, const Body& body) {
  const ActivationTag d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = first;
  for (; i + lanes <= last; i += lanes) {
    const FloatLanes<false> whole(lanes);
    body(
        i, [&](const float* from) HWY_ATTR { return whole.Load(from + i); },
        [&](const ActivationVector v, auto* to) HWY_ATTR { whole.Store(v, to + i); },
        hn::FirstN(d, static_cast<std::size_t>(lanes)));
  }
  if (i == last) return;
  const FloatLanes<true> part(last - i);
  body(
      i, [&](const float* from) HWY_ATTR { return part.Load(from + i); },
      [&](const ActivationVector v, auto* to) HWY_ATTR { part.Store(v, to + i); },
      hn::FirstN(d, static_cast<std::size_t>(last - i)));
}

HWY_INLINE float SumOfLanes(const ActivationVector v) {
  const ActivationTag d;
  return hn::GetLane(hn::SumOfLanes(d, v));
}

/// The largest number of a row, in all lanes; -inf for an empty row.
HWY_INLINE ActivationVector LargestOf(int64_t count, const float* x) {
  const ActivationTag d;
  ActivationVector most = hn::Set(d, -std::numeric_limits<float>::infinity());
  ForEachVector(0, count, [&](int64_t, const auto& load, const auto&, const auto mask) HWY_ATTR {
    most = hn::IfThenElse(mask, hn::Max(load(x), most), most);
  });
  return hn::MaxOfLanes(d, most);
}

/// e^z of numbers that are not above zero. The result is zero if it would be a denormal number.
HWY_INLINE ActivationVector PowerOf(const ActivationVector z) {
  return hn::IfThenZeroElse(hn::Lt(z, hn::Set(ActivationTag(), -87.0F)), ExpOf(z));
}

/// Computes the softmax of a row; y may be x. A NaN anywhere and a row of -inf give NaN.
inline void SoftmaxRow(int64_t count, const float* x, float* y) {
  const ActivationTag d;
  const ActivationVector largest = LargestOf(count, x);
  double sum = 0;
  for (int64_t first = 0; first < count; first += kSummedInFloat) {
    ActivationVector part = hn::Zero(d);
    ForEachVector(first, std::min(count, first + kSummedInFloat),
                  [&](int64_t, const auto& load, const auto& store, const auto mask) HWY_ATTR {
                    const ActivationVector power = PowerOf(hn::Sub(load(x), largest));
                    part = hn::Add(part, hn::IfThenElseZero(mask, power));
                    store(power, y);
                  });
    sum += static_cast<double>(SumOfLanes(part));
  }
  const ActivationVector scale = hn::Set(d, static_cast<float>(1.0 / sum));
  ForEachVector(0, count, [&](int64_t, const auto& load, const auto& store, const auto) HWY_ATTR {
    store(hn::Mul(load(y), scale), y);
  });
}

/// Computes y = (x - mean) / sqrt(variance + eps) * weight + bias, or the same without subtracting a mean.
/// weight and bias may be null. Out is float, or uint16_t for results rounded to bfloat16.
template <class Out>
void NormalizeRow(bool take_mean, int64_t count, double eps, const float* x, const float* weight, const float* bias,
                  Out* y) {
  const ActivationTag d;
  const auto n = static_cast<double>(count);
  double sum = 0;
  for (int64_t first = 0; take_mean && first < count; first += kSummedInFloat) {
    ActivationVector part = hn::Zero(d);
    ForEachVector(first, std::min(count, first + kSummedInFloat),
                  [&](int64_t, const auto& load, const auto&, const auto) HWY_ATTR { part = hn::Add(part, load(x)); });
    sum += static_cast<double>(SumOfLanes(part));
  }
  // Variances are summed from the distances to a rounded mean; the mean of these distances corrects the rounding.
  const auto near = static_cast<float>(sum / n);
  const ActivationVector middle = hn::Set(d, near);
  double distance = 0;
  double squares = 0;
  for (int64_t first = 0; first < count; first += kSummedInFloat) {
    ActivationVector part = hn::Zero(d);
    ActivationVector part2 = hn::Zero(d);
    ForEachVector(first, std::min(count, first + kSummedInFloat),
                  [&](int64_t, const auto& load, const auto&, const auto mask) HWY_ATTR {
                    const ActivationVector z = hn::IfThenElseZero(mask, hn::Sub(load(x), middle));
                    part = hn::Add(part, z);
                    part2 = hn::MulAdd(z, z, part2);
                  });
    distance += static_cast<double>(SumOfLanes(part));
    squares += static_cast<double>(SumOfLanes(part2));
  }
  if (!take_mean) distance = 0;
  const double variance = std::max(0.0, squares / n - distance / n * (distance / n));
  const auto spread = static_cast<float>(1.0 / std::sqrt(variance + eps));
  const ActivationVector scale = hn::Set(d, squares == squares ? spread : static_cast<float>(squares));
  const ActivationVector correction = hn::Set(d, static_cast<float>(distance / n));
  ForEachVector(0, count, [&](int64_t, const auto& load, const auto& store, const auto) HWY_ATTR {
    ActivationVector z = hn::Mul(hn::Sub(hn::Sub(load(x), middle), correction), scale);
    if (weight != nullptr) z = hn::Mul(z, load(weight));
    if (bias != nullptr) z = hn::Add(z, load(bias));
    store(z, y);
  });
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
