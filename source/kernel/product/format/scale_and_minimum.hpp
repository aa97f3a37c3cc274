// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/product/format/rounding_step.hpp"
#include "kernel/product/format/weight_format.hpp"
#include "utils/fused_multiply_add.hpp"

namespace kuiper_infer::kernel {

// Groups of integers from 0 to `kMost` that are multiplied by a scale and added to a minimum, both in half precision
// where they are chosen here.

/// The largest number in half precision that is not above the value.
inline float HalfBelow(float value) {
  const float limited = std::clamp(value, -kLargestHalf, kLargestHalf);
  const uint16_t nearest = FloatToHalfBits(limited);
  if (HalfBitsToFloat(nearest) <= limited) return HalfBitsToFloat(nearest);
  return HalfBitsToFloat(static_cast<uint16_t>(limited > 0 ? nearest - 1 : nearest + 1));
}

/// WeightFormat::round. The minimum is not above the smallest number of the group, and kMost steps above it is not
/// below the largest one, so that no number is clipped.
template <int kMost>
void RoundAboveMinimum(const float* values, int64_t count, float* integers, float* parameters) {
  constexpr float kLeastScale = 0x1p-24F;  // the smallest positive number in half precision
  const auto [least, most] = std::minmax_element(values, values + count);
  const float minimum = HalfBelow(*least);
  const float scale = std::max(-HalfBelow((minimum - *most) / kMost), kLeastScale);
  parameters[0] = scale;
  parameters[1] = minimum;
  for (int64_t i = 0; i < count; ++i) {
    integers[i] =
        static_cast<float>(RoundToStep(static_cast<double>(values[i]) - minimum, static_cast<double>(scale), 0, kMost));
  }
}

/// WeightFormat::scale. Each number is rounded once, as the tiles' multiply-adds do it.
inline void ScaleAndAddMinimum(const float* parameters, int64_t count, float* numbers) {
  for (int64_t i = 0; i < count; ++i) numbers[i] = Fma(numbers[i], parameters[0], parameters[1]);
}

/// A format of these groups for files; what rounds, decodes and encodes integers is missing.
inline WeightFormat FormatWithMinimum(const char* name, int bits, RuntimeDataType stored) {
  WeightFormat format{name, bits};
  format.asymmetric = true;
  format.stored = stored;
  format.by_group = true;
  format.parameters = {{".q_group_scales", RuntimeDataType::kTypeFloat16},
                       {".q_group_minimums", RuntimeDataType::kTypeFloat16}};
  format.scale = ScaleAndAddMinimum;
  return format;
}

}  // namespace kuiper_infer::kernel
