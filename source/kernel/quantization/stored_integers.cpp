// SPDX-License-Identifier: MIT
#include "kernel/quantization/stored_integers.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr int kNibbleZero = 8;

}  // namespace

void DecodeIntegers(int bits, const uint8_t* stored, int64_t count, float* integers) {
  if (bits == 8) {
    for (int64_t i = 0; i < count; ++i) integers[i] = static_cast<float>(static_cast<int8_t>(stored[i]));
    return;
  }
  for (int64_t i = 0; i < count / 2; ++i) {
    integers[2 * i] = static_cast<float>((stored[i] & 15) - kNibbleZero);
    integers[2 * i + 1] = static_cast<float>((stored[i] >> 4) - kNibbleZero);
  }
}

void EncodeIntegers(int bits, const float* integers, int64_t count, uint8_t* stored) {
  if (bits == 8) {
    for (int64_t i = 0; i < count; ++i) stored[i] = static_cast<uint8_t>(static_cast<int>(integers[i]));
    return;
  }
  const auto nibble = [](float integer) { return static_cast<int>(integer) + kNibbleZero; };
  for (int64_t i = 0; i < count / 2; ++i) {
    stored[i] = static_cast<uint8_t>(nibble(integers[2 * i]) | nibble(integers[2 * i + 1]) << 4);
  }
}

void MultiplyByScales(int64_t rows, int64_t row_size, const float* scales, int64_t groups, float* numbers) {
  const int64_t group_size = row_size / groups;
  for (int64_t group = 0; group < rows * groups; ++group) {
    for (int64_t i = 0; i < group_size; ++i) *numbers++ *= scales[group];
  }
}

}  // namespace kuiper_infer::kernel
