// SPDX-License-Identifier: MIT
// Integers from -127 to 127 times a scale; files hold a byte for each.
#include "kernel/product/format/rounding_step.hpp"
#include "kernel/product/format/weight_format.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr int kMost = 127;

/// The largest magnitude lies at kMost steps of `scale_of` it.
template <float (*scale_of)(double)>
void Round(const float* values, int64_t count, float* integers, float* scale) {
  *scale = scale_of(LargestMagnitude(values, count) / kMost);
  for (int64_t i = 0; i < count; ++i)
    integers[i] = static_cast<float>(RoundToStep(values[i], static_cast<double>(*scale), -kMost, kMost));
}

void Decode(const uint8_t* stored, int64_t count, float* integers) {
  for (int64_t i = 0; i < count; ++i) integers[i] = static_cast<float>(static_cast<int8_t>(stored[i]));
}

void Encode(const float* integers, int64_t count, uint8_t* stored) {
  for (int64_t i = 0; i < count; ++i) stored[i] = static_cast<uint8_t>(static_cast<int>(integers[i]));
}

WeightFormat Make(const char* name, bool by_group, const FormatParameter& scale) {
  WeightFormat format{name, 8};
  format.stored = RuntimeDataType::kTypeInt8;
  format.by_group = by_group;
  format.parameters = {scale};
  format.round = by_group ? Round<GroupScale> : Round<PositiveScale>;
  format.decode = Decode;
  format.encode = Encode;
  format.scale = MultiplyByScale;
  return format;
}

}  // namespace

const WeightFormat kInt8Format = Make("int8", false, {".q_per_channel_scales", RuntimeDataType::kTypeFloat64, true});
const WeightFormat kInt8GroupFormat = Make("int8 in groups", true, {".q_group_scales", RuntimeDataType::kTypeFloat32});

}  // namespace kuiper_infer::kernel
