// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>

namespace kuiper_infer::kernel {

/// Twins of functions that are exact or rounded once, so that whole programs can be compared bit by bit.

/// A function on one number of each type; null where the function has none.
struct UnaryTwin {
  const char* name;
  float (*f32)(float x, const double* p);
  double (*f64)(double x, const double* p);
  int64_t (*i64)(int64_t x, const double* p);
  std::complex<double> (*c128)(std::complex<double> x, const double* p) = nullptr;
  bool gives_bool = false;
  bool gives_real = false;
};

struct BinaryTwin {
  const char* name;
  float (*f32)(float a, float b);
  double (*f64)(double a, double b);
  int64_t (*i64)(int64_t a, int64_t b);
  std::complex<double> (*c128)(std::complex<double> a, std::complex<double> b) = nullptr;
  bool gives_bool = false;
};

inline int64_t Wrap(uint64_t bits) { return static_cast<int64_t>(bits); }

inline constexpr auto kNegTwin = [](auto x, const double*) { return -x; };
inline constexpr auto kAbsTwin = [](auto x, const double*) { return std::abs(x); };
inline constexpr auto kSquareTwin = [](auto x, const double*) { return x * x; };
inline constexpr auto kReluTwin = [](auto x, const double*) { return x < 0 ? 0 : x; };
inline constexpr auto kNotTwin = [](auto x, const double*) { return decltype(x)(x == decltype(x)(0) ? 1 : 0); };
inline constexpr auto kReciprocalTwin = [](auto x, const double*) { return 1 / x; };
inline constexpr auto kSqrtTwin = [](auto x, const double*) { return std::sqrt(x); };
inline constexpr auto kClampTwin = [](auto x, const double* p) {
  using T = decltype(x);
  return x < static_cast<T>(p[0]) ? static_cast<T>(p[0]) : (x > static_cast<T>(p[1]) ? static_cast<T>(p[1]) : x);
};

/// Functions that are exact or rounded once.
inline constexpr UnaryTwin kUnaryTwins[] = {
    {"neg", kNegTwin, kNegTwin, [](int64_t x, const double*) { return Wrap(0 - static_cast<uint64_t>(x)); }, kNegTwin},
    {"abs", kAbsTwin, kAbsTwin, [](int64_t x, const double*) { return x < 0 ? Wrap(0 - static_cast<uint64_t>(x)) : x; },
     [](std::complex<double> x, const double*) { return std::complex<double>(std::abs(x)); }, false, true},
    {"conj", nullptr, nullptr, nullptr, [](std::complex<double> x, const double*) { return std::conj(x); }},
    {"square", kSquareTwin, kSquareTwin,
     [](int64_t x, const double*) { return Wrap(static_cast<uint64_t>(x) * static_cast<uint64_t>(x)); }},
    {"relu", kReluTwin, kReluTwin, kReluTwin},
    {"clamp", kClampTwin, kClampTwin, kClampTwin},
    {"reciprocal", kReciprocalTwin, kReciprocalTwin, nullptr},
    {"sqrt", kSqrtTwin, kSqrtTwin, nullptr},
    {"bitwise_not", nullptr, nullptr, [](int64_t x, const double*) { return ~x; }},
    {"logical_not", kNotTwin, kNotTwin, kNotTwin, kNotTwin, true},
};

inline constexpr auto kAddTwin = [](auto a, auto b) { return a + b; };
inline constexpr auto kSubTwin = [](auto a, auto b) { return a - b; };
inline constexpr auto kMulTwin = [](auto a, auto b) { return a * b; };
inline constexpr auto kDivTwin = [](auto a, auto b) { return a / b; };
inline constexpr auto kMaximumTwin = [](auto a, auto b) { return a != a ? a : (b != b ? b : (a > b ? a : b)); };
inline constexpr auto kMinimumTwin = [](auto a, auto b) { return a != a ? a : (b != b ? b : (a < b ? a : b)); };
inline constexpr auto kLessTwin = [](auto a, auto b) { return decltype(a)(a < b ? 1 : 0); };
inline constexpr auto kEqualTwin = [](auto a, auto b) { return decltype(a)(a == b ? 1 : 0); };
inline constexpr auto kBothTwin = [](auto a, auto b) {
  using T = decltype(a);
  return T(a != T(0) && b != T(0) ? 1 : 0);
};

inline constexpr BinaryTwin kBinaryTwins[] = {
    {"add", kAddTwin, kAddTwin,
     [](int64_t a, int64_t b) { return Wrap(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }, kAddTwin},
    {"sub", kSubTwin, kSubTwin,
     [](int64_t a, int64_t b) { return Wrap(static_cast<uint64_t>(a) - static_cast<uint64_t>(b)); }, kSubTwin},
    {"mul", kMulTwin, kMulTwin,
     [](int64_t a, int64_t b) { return Wrap(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)); }},
    {"div", kDivTwin, kDivTwin, nullptr},
    {"floor_divide", nullptr, nullptr,
     [](int64_t a, int64_t b) {
       if (b == 0) return int64_t{0};
       if (b == -1) return Wrap(0 - static_cast<uint64_t>(a));
       return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
     }},
    {"maximum", kMaximumTwin, kMaximumTwin, kMaximumTwin},
    {"minimum", kMinimumTwin, kMinimumTwin, kMinimumTwin},
    {"and", nullptr, nullptr, [](int64_t a, int64_t b) { return a & b; }},
    {"xor", nullptr, nullptr, [](int64_t a, int64_t b) { return a ^ b; }},
    {"lt", kLessTwin, kLessTwin, kLessTwin, nullptr, true},
    {"eq", kEqualTwin, kEqualTwin, kEqualTwin, kEqualTwin, true},
    {"logical_and", kBothTwin, kBothTwin, kBothTwin, kBothTwin, true},
};

}  // namespace kuiper_infer::kernel
