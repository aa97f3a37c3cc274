// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

namespace kuiper_infer {

/// Conversions between IEEE 754 binary16 and binary32, rounding to nearest even; subnormals, infinities and NaN kept.
inline float HalfBitsToFloat(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000U) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1FU;
  uint32_t mantissa = bits & 0x3FFU;
  uint32_t word = 0;
  if (exponent == 0x1FU) {
    word = sign | 0x7F800000U | (mantissa << 13);
  } else if (exponent != 0) {
    word = sign | ((exponent + 112U) << 23) | (mantissa << 13);
  } else if (mantissa == 0) {
    word = sign;
  } else {
    uint32_t shift = 0;
    while ((mantissa & 0x400U) == 0) {
      mantissa <<= 1;
      ++shift;
    }
    word = sign | ((113U - shift) << 23) | ((mantissa & 0x3FFU) << 13);
  }
  float value = 0;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

inline uint16_t FloatToHalfBits(float value) {
  uint32_t word = 0;
  std::memcpy(&word, &value, sizeof(word));
  const auto sign = static_cast<uint16_t>((word >> 16) & 0x8000U);
  const uint32_t magnitude = word & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U) return sign | 0x7E00U;
  if (magnitude >= 0x47800000U) return sign | 0x7C00U;
  if (magnitude < 0x33000000U) return sign;
  const int32_t exponent = static_cast<int32_t>(magnitude >> 23) - 112;
  uint32_t mantissa = (magnitude & 0x7FFFFFU) | 0x800000U;
  // Subnormal halves drop further bits; the rest is one rounding to nearest even.
  const uint32_t drop = exponent > 0 ? 13U : static_cast<uint32_t>(14 - exponent);
  const uint32_t half = 1U << (drop - 1);
  const uint32_t rest = mantissa & ((1U << drop) - 1);
  mantissa >>= drop;
  if (rest > half || (rest == half && (mantissa & 1U) != 0)) ++mantissa;
  // The implicit bit sits at 0x400, so adding carries into the exponent where rounding overflows.
  const uint32_t bits = exponent > 0 ? (static_cast<uint32_t>(exponent - 1) << 10) + mantissa : mantissa;
  return static_cast<uint16_t>(sign | bits);
}

/// Element types for storage only: their numbers are converted to float for every computation.
struct Float16 {
  uint16_t bits = 0;
  Float16() = default;
  Float16(float value) : bits(FloatToHalfBits(value)) {}    // NOLINT: behaves as a number
  operator float() const { return HalfBitsToFloat(bits); }  // NOLINT: numbers convert implicitly
};

struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  BFloat16(float value) {  // NOLINT: behaves as a number
    uint32_t word = 0;
    std::memcpy(&word, &value, sizeof(word));
    const bool nan = (word & 0x7FFFFFFFU) > 0x7F800000U;
    bits = nan ? 0x7FC0U : static_cast<uint16_t>((word + 0x7FFFU + ((word >> 16) & 1U)) >> 16);
  }
  operator float() const {  // NOLINT: behaves as a number
    const uint32_t word = static_cast<uint32_t>(bits) << 16;
    float value = 0;
    std::memcpy(&value, &word, sizeof(value));
    return value;
  }
};

}  // namespace kuiper_infer
