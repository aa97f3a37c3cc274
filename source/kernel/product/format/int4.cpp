// SPDX-License-Identifier: MIT
// Integers from -8 to 7 times a scale; files hold two in a byte, the even one in the low bits, each as q + 8.
#include <limits>

#include "kernel/product/format/nibbles.hpp"
#include "kernel/product/format/rounding_step.hpp"
#include "kernel/product/format/weight_format.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr int kLeast = -8;
constexpr int kMost = 7;

double SquaredError(const float* values, int64_t count, double scale) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double error = static_cast<double>(values[i]) - RoundToStep(values[i], scale, kLeast, kMost) * scale;
    sum += error * error;
  }
  return sum;
}

/// The largest magnitude lies at 7 steps or, clipped, further out, whichever gives the least squared error.
float ScaleOf(const float* values, int64_t count) {
  constexpr double kFarthest = 10;
  constexpr double kTried = 0.25;
  const double magnitude = LargestMagnitude(values, count);
  float best = GroupScale(magnitude / kMost);
  double least = std::numeric_limits<double>::infinity();
  for (double steps = kMost; steps <= kFarthest; steps += kTried) {
    const float scale = GroupScale(magnitude / steps);
    const double error = SquaredError(values, count, static_cast<double>(scale));
    if (error >= least) continue;
    least = error;
    best = scale;
  }
  return best;
}

void Round(const float* values, int64_t count, float* integers, float* scale) {
  *scale = ScaleOf(values, count);
  for (int64_t i = 0; i < count; ++i) {
    integers[i] = static_cast<float>(RoundToStep(values[i], static_cast<double>(*scale), kLeast, kMost));
  }
}

WeightFormat Make() {
  WeightFormat format{"int4", 4};
  format.stored = RuntimeDataType::kTypeUInt8;
  format.by_group = true;
  format.parameters = {{".q_group_scales", RuntimeDataType::kTypeFloat32}};
  format.round = Round;
  format.decode = DecodeNibbles<kLeast>;
  format.encode = EncodeNibbles<kLeast>;
  format.scale = MultiplyByScale;
  return format;
}

}  // namespace

const WeightFormat kInt4Format = Make();

}  // namespace kuiper_infer::kernel
