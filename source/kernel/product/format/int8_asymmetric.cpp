// SPDX-License-Identifier: MIT
// Integers from 0 to 255 times a scale, plus a minimum; files hold a signed byte for each, which is 128 less. Q5_1 of
// GGUF has both parameters in half precision, Q5_K has products that need float32.
#include "kernel/product/format/scale_and_minimum.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr int kStoredZero = -128;

void Decode(const uint8_t* stored, int64_t count, float* integers) {
  for (int64_t i = 0; i < count; ++i) integers[i] = static_cast<float>(static_cast<int8_t>(stored[i]) - kStoredZero);
}

void Encode(const float* integers, int64_t count, uint8_t* stored) {
  for (int64_t i = 0; i < count; ++i) stored[i] = static_cast<uint8_t>(static_cast<int>(integers[i]) + kStoredZero);
}

WeightFormat Make() {
  WeightFormat format = FormatWithMinimum("int8 asymmetric", 8, RuntimeDataType::kTypeInt8);
  format.round = RoundAboveMinimum<255>;
  format.decode = Decode;
  format.encode = Encode;
  return format;
}

}  // namespace

const WeightFormat kInt8AsymmetricFormat = Make();

}  // namespace kuiper_infer::kernel
