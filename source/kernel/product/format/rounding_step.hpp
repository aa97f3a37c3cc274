// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "utils/half.hpp"

namespace kuiper_infer::kernel {

// How numbers become integers times a scale, and back.

inline double LargestMagnitude(const float* values, int64_t count) {
  double most = 0;
  for (int64_t i = 0; i < count; ++i) most = std::max<double>(most, std::abs(values[i]));
  return most;
}

/// The nearest multiple of the scale, even ones half-way, of those from `least` to `most`.
inline int RoundToStep(double value, double scale, int least, int most) {
  return static_cast<int>(std::clamp<double>(std::nearbyint(value / scale), least, most));
}

/// The scale in float32, in which it is read: at least the smallest normal number, 1 for zeros alone.
inline float PositiveScale(double scale) {
  if (scale == 0) return 1;
  return std::max(static_cast<float>(scale), std::numeric_limits<float>::min());
}

/// The largest finite number in half precision.
constexpr float kLargestHalf = 65504;

/// The scale of a group, rounded to half precision, so that kernels read two bytes of it. A scale that would lose more
/// than its last bits there stays as it is.
inline float GroupScale(double scale) {
  constexpr float kLeast = 0x1p-14F;  // the smallest normal number in half precision
  const float positive = PositiveScale(scale);
  return positive >= kLeast && positive <= kLargestHalf ? float{Float16(positive)} : positive;
}

/// WeightFormat::scale of formats whose only parameter is a scale.
inline void MultiplyByScale(const float* scale, int64_t count, float* numbers) {
  for (int64_t i = 0; i < count; ++i) numbers[i] *= *scale;
}

}  // namespace kuiper_infer::kernel
