// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace kuiper_infer::kernel {

// Rounding of numbers to integers times a scale.

inline double LargestMagnitude(const float* values, int64_t count) {
  double most = 0;
  for (int64_t i = 0; i < count; ++i) most = std::max<double>(most, std::abs(values[i]));
  return most;
}

/// The integer from `least` to `most` whose product with the scale is nearest; half-way numbers go to the even integer.
inline int8_t RoundToStep(double value, double scale, int least, int most) {
  return static_cast<int8_t>(std::clamp<double>(std::nearbyint(value / scale), least, most));
}

/// The scale rounded to float32, the type in which it is read. It is at least the smallest normal number, and 1 if all
/// numbers are zeros.
inline float PositiveScale(double scale) {
  if (scale == 0) return 1;
  return std::max(static_cast<float>(scale), std::numeric_limits<float>::min());
}

/// WeightFormat::scale of formats whose only parameter is a scale.
inline void MultiplyByScale(const float* scale, int64_t count, float* numbers) {
  for (int64_t i = 0; i < count; ++i) numbers[i] *= *scale;
}

}  // namespace kuiper_infer::kernel
