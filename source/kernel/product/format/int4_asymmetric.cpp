// SPDX-License-Identifier: MIT
// Integers from 0 to 15 times a scale, plus a minimum; files hold two in a byte, the even one in the low bits, and both
// parameters in half precision, as Q4_1 of GGUF does.
#include <algorithm>

#include "kernel/product/format/nibbles.hpp"
#include "kernel/product/format/rounding_step.hpp"
#include "kernel/product/format/weight_format.hpp"
#include "utils/fused_multiply_add.hpp"
#include "utils/half.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr int kMost = 15;

float ToHalf(float value) { return HalfBitsToFloat(FloatToHalfBits(std::clamp(value, -kLargestHalf, kLargestHalf))); }

/// The smallest number of the group is the minimum; the largest one lies at kMost steps above what is left of it in
/// half precision.
void Round(const float* values, int64_t count, float* integers, float* parameters) {
  constexpr float kLeastScale = 0x1p-24F;  // the smallest positive number in half precision
  const auto [least, most] = std::minmax_element(values, values + count);
  const float minimum = ToHalf(*least);
  const float scale = std::max(ToHalf((*most - minimum) / kMost), kLeastScale);
  parameters[0] = scale;
  parameters[1] = minimum;
  for (int64_t i = 0; i < count; ++i) {
    integers[i] = RoundToStep(static_cast<double>(values[i]) - minimum, static_cast<double>(scale), 0, kMost);
  }
}

/// Each number is rounded once, as the tiles' multiply-adds do it.
void Scale(const float* parameters, int64_t count, float* numbers) {
  for (int64_t i = 0; i < count; ++i) numbers[i] = Fma(numbers[i], parameters[0], parameters[1]);
}

WeightFormat Make() {
  WeightFormat format{"int4 asymmetric", 4};
  format.asymmetric = true;
  format.stored = RuntimeDataType::kTypeUInt8;
  format.by_group = true;
  format.parameters = {{".q_group_scales", RuntimeDataType::kTypeFloat16},
                       {".q_group_minimums", RuntimeDataType::kTypeFloat16}};
  format.round = Round;
  format.decode = DecodeNibbles<0>;
  format.encode = EncodeNibbles<0>;
  format.scale = Scale;
  return format;
}

}  // namespace

const WeightFormat kInt4AsymmetricFormat = Make();

}  // namespace kuiper_infer::kernel
