// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

// Integers of four bits, two in a byte, the even one in the low bits, each stored as its distance from `kLeast`. They
// are the functions `decode` and `encode` of a WeightFormat.

template <int kLeast>
void DecodeNibbles(const uint8_t* stored, int64_t count, float* integers) {
  for (int64_t i = 0; i < count / 2; ++i) {
    integers[2 * i] = static_cast<float>((stored[i] & 15) + kLeast);
    integers[2 * i + 1] = static_cast<float>((stored[i] >> 4) + kLeast);
  }
}

template <int kLeast>
void EncodeNibbles(const float* integers, int64_t count, uint8_t* stored) {
  const auto nibble = [](float integer) { return static_cast<int>(integer) - kLeast; };
  for (int64_t i = 0; i < count / 2; ++i) {
    stored[i] = static_cast<uint8_t>(nibble(integers[2 * i]) | nibble(integers[2 * i + 1]) << 4);
  }
}

}  // namespace kuiper_infer::kernel
