// SPDX-License-Identifier: MIT
#include "quantization/weight_rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "quantization/rounding_step.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer::quantization {
namespace {

double SquaredError(const float* values, int64_t count, double scale) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double error = static_cast<double>(values[i]) - RoundToStep(values[i], scale, -8, 7) * scale;
    sum += error * error;
  }
  return sum;
}

/// The largest magnitude lies at 7 steps or, clipped where that is better for the others, further out.
float ScaleOfFourBits(const float* values, int64_t count) {
  const double magnitude = LargestMagnitude(values, count);
  float best = PositiveScale(magnitude / 7);
  double least = std::numeric_limits<double>::infinity();
  for (double steps = 7; steps <= 10; steps += 0.25) {
    const float scale = PositiveScale(magnitude / steps);
    const double error = SquaredError(values, count, static_cast<double>(scale));
    if (error >= least) continue;
    least = error;
    best = scale;
  }
  return best;
}

}  // namespace

RoundedWeight<double> RoundByRow(const float* weight, int64_t rows, int64_t width) {
  RoundedWeight<double> rounded;
  rounded.numbers.resize(static_cast<std::size_t>(rows * width));
  rounded.scales.resize(static_cast<std::size_t>(rows));
  for (int64_t row = 0; row < rows; ++row) {
    const float* const values = weight + row * width;
    const double scale = PositiveScale(LargestMagnitude(values, width) / 127);
    rounded.scales[row] = scale;
    for (int64_t i = 0; i < width; ++i) rounded.numbers[row * width + i] = RoundToStep(values[i], scale, -127, 127);
  }
  return rounded;
}

RoundedWeight<float> RoundByGroup(const float* weight, int64_t rows, int64_t width, int64_t groups, int bits) {
  RoundedWeight<float> rounded;
  rounded.numbers.resize(static_cast<std::size_t>(rows * width));
  rounded.scales.resize(static_cast<std::size_t>(rows * groups));
  const int64_t size = width / groups;
  const int least = bits == 4 ? -8 : -127;
  const int most = bits == 4 ? 7 : 127;
  ParallelFor(rows * groups, GrainFor(size * 64), [&](int64_t first, int64_t last) {
    for (int64_t group = first; group < last; ++group) {
      const float* const values = weight + group * size;
      const float scale =
          bits == 4 ? ScaleOfFourBits(values, size) : PositiveScale(LargestMagnitude(values, size) / 127);
      rounded.scales[group] = scale;
      for (int64_t i = 0; i < size; ++i) {
        rounded.numbers[group * size + i] = RoundToStep(values[i], static_cast<double>(scale), least, most);
      }
    }
  });
  return rounded;
}

std::vector<uint8_t> PackNibbles(const std::vector<int8_t>& numbers) {
  std::vector<uint8_t> packed(numbers.size() / 2);
  for (std::size_t i = 0; i < packed.size(); ++i) {
    packed[i] = static_cast<uint8_t>((numbers[2 * i] + 8) | (numbers[2 * i + 1] + 8) << 4);
  }
  return packed;
}

}  // namespace kuiper_infer::quantization
