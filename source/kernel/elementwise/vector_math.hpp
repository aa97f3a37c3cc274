// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace kuiper_infer::kernel {

/// Elementary functions without calls and branches, so that compilers turn loops over them into vector code. NaN stays
/// NaN. In float, Exp is within 1.1 ULP, Erf within 2 and Tanh within 3 ULP over the whole range, Sigmoid within 3 ULP
/// or 1e-38 (vector_functions_test); the double versions call the standard library.

inline double Exp(double x) { return std::exp(x); }
inline double Tanh(double x) { return std::tanh(x); }

/// e^x in float: 0 below -103.97, infinity above 88.72. Range reduction to |r| <= ln(2) / 2 with ln 2 in two parts
/// (Cody and Waite), then the Taylor polynomial of degree 7.
inline float Exp(float x) {
  constexpr float kLowest = -104.0F;
  constexpr int32_t kHighestExponent = 130;
  constexpr float kLog2E = 1.44269504F;
  constexpr float kLn2High = 0.693359375F;
  constexpr float kLn2Low = -2.12194440e-4F;
  constexpr float kRounder = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer in the low mantissa bits
  // Only one choice between floats: compilers turn two in a row into branches. Above the highest exponent r grows, and
  // with it the polynomial, to infinity.
  const float raised = x < kLowest ? kLowest : x;
  const float shifted = raised * kLog2E + kRounder;
  uint32_t bits = 0;
  std::memcpy(&bits, &shifted, sizeof(bits));
  const int32_t exponent = std::min(static_cast<int32_t>(bits - 0x4B400000U), kHighestExponent);
  const auto n = static_cast<float>(exponent);
  const float r = (raised - n * kLn2High) - n * kLn2Low;
  float p = 1.0F / 5040;
  p = p * r + 1.0F / 720;
  p = p * r + 1.0F / 120;
  p = p * r + 1.0F / 24;
  p = p * r + 1.0F / 6;
  p = p * r + 0.5F;
  p = (p * r) * r + r + 1.0F;
  // 2^n in two factors: n reaches from -150 to 130, which one exponent field doesn't hold.
  const int32_t half = exponent >> 1;
  const uint32_t first_bits = static_cast<uint32_t>(half + 127) << 23;
  const uint32_t second_bits = static_cast<uint32_t>(exponent - half + 127) << 23;
  float first = 0;
  float second = 0;
  std::memcpy(&first, &first_bits, sizeof(first));
  std::memcpy(&second, &second_bits, sizeof(second));
  return p * first * second;
}

template <class T>
T Sigmoid(T x) {
  return T(1) / (T(1) + Exp(-x));
}

/// tanh(x) in float. Near zero an odd polynomial keeps the relative precision that 1 - 2 / (e^2x + 1) loses.
inline float Tanh(float x) {
  const float far = 1.0F - 2.0F / (Exp(2.0F * x) + 1.0F);
  const float z = x * x;
  float p = -5.70498872745e-3F;  // Cephes' tanhf, |x| < 0.625
  p = p * z + 2.06390887954e-2F;
  p = p * z - 5.37397155531e-2F;
  p = p * z + 1.33314422036e-1F;
  p = p * z - 3.33332819422e-1F;
  const float near = p * z * x + x;
  return std::abs(x) < 0.625F ? near : far;
}

inline double Erf(double x) { return std::erf(x); }

/// erf(x) in float: x + x P(x^2) up to 1, 1 - e^Q(|x|) beyond; P and Q are least-squares fits of erf(x) / x - 1 and
/// log(erfc(x)) whose largest errors are 1e-9 of the result. 1 from 4 on, where erfc(4) = 1.5e-8 is lost in rounding.
inline float Erf(float x) {
  const float t = std::min(std::abs(x), 4.0F);
  float far = 1.85574216e-4F;
  far = far * t - 2.93960935e-3F;
  far = far * t + 2.18053273e-2F;
  far = far * t - 1.03037387e-1F;
  far = far * t - 6.38225675e-1F;
  far = far * t - 1.12704003F;
  far = far * t - 3.53716110e-4F;
  far = std::copysign(1.0F - Exp(far), x);
  const float z = x * x;
  float near = 7.85386146e-5F;
  near = near * z - 8.01019371e-4F;
  near = near * z + 5.18832775e-3F;
  near = near * z - 2.68538129e-2F;
  near = near * z + 1.12835854e-1F;
  near = near * z - 3.76126260e-1F;
  near = near * z + 1.28379166e-1F;
  near = near * x + x;
  // A NaN fails the comparison and comes through `far`.
  return t < 1.0F ? near : (x == x ? far : x);
}

}  // namespace kuiper_infer::kernel
