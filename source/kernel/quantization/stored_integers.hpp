// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

/// Integers of 8 or 4 bits as files hold them. Those of 4 bits lie two in a byte, the even one in the low bits, each as
/// q + 8.

/// Bytes of so many integers; of 4 bits they are an even number.
constexpr int64_t StoredIntegerBytes(int bits, int64_t count) { return count * bits / 8; }

/// Stored integers as floats, and back.
void DecodeIntegers(int bits, const uint8_t* stored, int64_t count, float* integers);
void EncodeIntegers(int bits, const float* integers, int64_t count, uint8_t* stored);

/// Multiplies rows of numbers by scales (rows, groups): each by that of its group, a part of its row.
void MultiplyByScales(int64_t rows, int64_t row_size, const float* scales, int64_t groups, float* numbers);

}  // namespace kuiper_infer::kernel
