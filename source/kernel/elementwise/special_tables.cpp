// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernel/elementwise/cylinder_functions.hpp"
#include "kernel/elementwise/special_functions.hpp"
#include "utils/wrapping.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr double kPi = 3.14159265358979323846;

template <class Function, class T>
void UnaryLoop(const T* x, T* y, int64_t count, const double* p) {
  for (int64_t i = 0; i < count; ++i) y[i] = static_cast<T>(Function::Apply(static_cast<double>(x[i]), p));
}
template <class Function, class T>
void BinaryLoop(const T* a, const T* b, T* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    y[i] = static_cast<T>(Function::Apply(static_cast<double>(a[i]), static_cast<double>(b[i])));
  }
}
template <class Function>
void IntegerLoop(const int64_t* a, const int64_t* b, int64_t* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) y[i] = Function::Apply(a[i], b[i]);
}

// All are computed in double. `p` holds a function's own parameters.
#define KUIPER_UNARY(NAME, EXPRESSION)                                                     \
  struct NAME {                                                                            \
    static double Apply(double x, [[maybe_unused]] const double* p) { return EXPRESSION; } \
  };
#define KUIPER_BINARY(NAME, EXPRESSION)                            \
  struct NAME {                                                    \
    static double Apply(double a, double b) { return EXPRESSION; } \
  };

double XTimesLog(double a, double b, double log) { return std::isnan(b) ? b : (a == 0 ? 0 : a * log); }

double NanToNum(double x, const double* p) {
  if (std::isnan(x)) return p[0];
  return std::isinf(x) ? (x > 0 ? p[1] : p[2]) : x;
}

double Logit(double x, double eps) {
  const double kept = x < eps ? eps : (x > 1 - eps ? 1 - eps : x);
  const double z = eps < 0 ? x : kept;
  return std::log(z / (1 - z));
}

double MultiLgamma(double x, int order) {
  double sum = order * (order - 1) * 0.25 * std::log(kPi);
  for (int j = 0; j < order; ++j) sum += std::lgamma(x - 0.5 * j);
  return sum;
}

double LogAddExp2(double a, double b) {
  if (std::isinf(a) && a == b) return a;
  return std::max(a, b) + std::log1p(std::exp2(-std::abs(a - b))) / std::log(2.0);
}

KUIPER_UNARY(Angle, std::isnan(x) ? x : (x < 0 ? kPi : 0.0))
KUIPER_UNARY(Deg2Rad, x*(kPi / 180))
KUIPER_UNARY(Rad2Deg, x*(180 / kPi))
KUIPER_UNARY(LogitOf, Logit(x, p[0]))
KUIPER_UNARY(NanToNumOf, NanToNum(x, p))
KUIPER_UNARY(I0, BesselI(0, x, false))
KUIPER_UNARY(I0e, BesselI(0, x, true))
KUIPER_UNARY(I1, BesselI(1, x, false))
KUIPER_UNARY(I1e, BesselI(1, x, true))
KUIPER_UNARY(J0, std::isnan(x) ? x : cyl_bessel_j(0.0, std::abs(x)))
KUIPER_UNARY(J1, std::isnan(x) ? x : std::copysign(1.0, x) * cyl_bessel_j(1.0, std::abs(x)))
KUIPER_UNARY(Entr,
             std::isnan(x) ? x : (x > 0 ? -x * std::log(x) : (x == 0 ? 0 : -std::numeric_limits<double>::infinity())))
KUIPER_UNARY(Erfcx, ScaledErfc(x))
KUIPER_UNARY(Erfinv, InverseErf(x))
KUIPER_UNARY(Ndtr, 0.5 * std::erfc(-x * 0.70710678118654752440))
KUIPER_UNARY(Ndtri, InverseNormalIntegral(x))
KUIPER_UNARY(LogNdtr, LogNormalIntegral(x))
KUIPER_UNARY(DigammaOf, Digamma(x))
KUIPER_UNARY(PolygammaOf, Polygamma(static_cast<int>(p[0]), x))
KUIPER_UNARY(MultiLgammaOf, MultiLgamma(x, static_cast<int>(p[0])))
KUIPER_UNARY(Sinc, x == 0 ? 1 : std::sin(kPi * x) / (kPi * x))
KUIPER_UNARY(IsFinite, std::isfinite(x) ? 1 : 0)
KUIPER_UNARY(IsInf, std::isinf(x) ? 1 : 0)
KUIPER_UNARY(IsNan, std::isnan(x) ? 1 : 0)
KUIPER_UNARY(IsNegInf, std::isinf(x) && x < 0 ? 1 : 0)
KUIPER_UNARY(IsPosInf, std::isinf(x) && x > 0 ? 1 : 0)
KUIPER_UNARY(SignBit, std::signbit(x) ? 1 : 0)
KUIPER_BINARY(Copysign, std::copysign(a, b))
KUIPER_BINARY(Hypot, std::hypot(a, b))
KUIPER_BINARY(Heaviside, a == 0 ? b : (a > 0 ? 1 : 0))  // 0 for NaN, as in PyTorch
KUIPER_BINARY(Ldexp, std::ldexp(a, static_cast<int>(std::min(10000.0, std::max(-10000.0, b)))))
KUIPER_BINARY(LogAddExp2Of, LogAddExp2(a, b))
KUIPER_BINARY(Xlogy, XTimesLog(a, b, std::log(b)))
KUIPER_BINARY(Xlog1py, XTimesLog(a, b, std::log1p(b)))
KUIPER_BINARY(Zeta, HurwitzZeta(a, b))
KUIPER_BINARY(Fmax, std::fmax(a, b))
KUIPER_BINARY(Fmin, std::fmin(a, b))
#undef KUIPER_UNARY
#undef KUIPER_BINARY

/// Computes in the operands' own type: the float next to a float is not the double next to it.
template <class T>
void NextAfterLoop(const T* a, const T* b, T* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) y[i] = std::nextafter(a[i], b[i]);
}

/// A magnitude as an unsigned number: the smallest integer has no positive counterpart.
uint64_t Magnitude(int64_t x) { return static_cast<uint64_t>(x < 0 ? WrappingNegate(x) : x); }
struct Gcd {
  static int64_t Apply(int64_t a, int64_t b) { return static_cast<int64_t>(std::gcd(Magnitude(a), Magnitude(b))); }
};
struct Lcm {
  static int64_t Apply(int64_t a, int64_t b) {
    const uint64_t divisor = std::gcd(Magnitude(a), Magnitude(b));
    return divisor == 0 ? 0 : static_cast<int64_t>(Magnitude(a) / divisor * Magnitude(b));
  }
};

struct IntegerMax {
  static int64_t Apply(int64_t a, int64_t b) { return std::max(a, b); }
};
struct IntegerMin {
  static int64_t Apply(int64_t a, int64_t b) { return std::min(a, b); }
};
struct IntegerHeaviside {
  static int64_t Apply(int64_t a, int64_t b) { return a == 0 ? b : (a > 0 ? 1 : 0); }
};

template <class Function>
constexpr UnaryFunction Floating(const char* name, int parameters = 0) {
  UnaryFunction function = {name, ResultKind::kFloating, UnaryLoop<Function, float>, UnaryLoop<Function, double>,
                            nullptr};
  function.parameters = parameters;
  return function;
}
template <class Function>
constexpr UnaryFunction Test(const char* name) {
  return {name, ResultKind::kBool, UnaryLoop<Function, float>, UnaryLoop<Function, double>,
          UnaryLoop<Function, int64_t>};
}
template <class Function>
constexpr BinaryFunction FloatingPair(const char* name) {
  return {name, ResultKind::kFloating, BinaryLoop<Function, float>, BinaryLoop<Function, double>, nullptr};
}
/// A function that integers have as well, without a detour by double, which holds only those up to 2^53.
template <class Function, class IntegerFunction>
constexpr BinaryFunction AnyPair(const char* name) {
  return {name, ResultKind::kSame, BinaryLoop<Function, float>, BinaryLoop<Function, double>,
          IntegerLoop<IntegerFunction>};
}
template <class Function>
constexpr BinaryFunction IntegerPair(const char* name) {
  return {name, ResultKind::kSame, nullptr, nullptr, IntegerLoop<Function>};
}

constexpr UnaryFunction kUnary[] = {
    Floating<Angle>("angle"),
    Floating<Deg2Rad>("deg2rad"),
    Floating<Rad2Deg>("rad2deg"),
    Floating<LogitOf>("logit", 1),
    Floating<NanToNumOf>("nan_to_num", 3),
    Floating<I0>("i0"),
    Floating<I0e>("i0e"),
    Floating<I1>("i1"),
    Floating<I1e>("i1e"),
    Floating<J0>("bessel_j0"),
    Floating<J1>("bessel_j1"),
    Floating<Entr>("entr"),
    Floating<Erfcx>("erfcx"),
    Floating<Erfinv>("erfinv"),
    Floating<Ndtr>("ndtr"),
    Floating<Ndtri>("ndtri"),
    Floating<LogNdtr>("log_ndtr"),
    Floating<DigammaOf>("digamma"),
    Floating<PolygammaOf>("polygamma", 1),
    Floating<MultiLgammaOf>("mvlgamma", 1),
    Floating<Sinc>("sinc"),
    Test<IsFinite>("isfinite"),
    Test<IsInf>("isinf"),
    Test<IsNan>("isnan"),
    Test<IsNegInf>("isneginf"),
    Test<IsPosInf>("isposinf"),
    Test<SignBit>("signbit"),
};

constexpr BinaryFunction kBinary[] = {
    FloatingPair<Copysign>("copysign"),
    FloatingPair<Hypot>("hypot"),
    AnyPair<Heaviside, IntegerHeaviside>("heaviside"),
    FloatingPair<Ldexp>("ldexp"),
    FloatingPair<LogAddExp2Of>("logaddexp2"),
    FloatingPair<Xlogy>("xlogy"),
    FloatingPair<Xlog1py>("xlog1py"),
    FloatingPair<Zeta>("zeta"),
    AnyPair<Fmax, IntegerMax>("fmax"),
    AnyPair<Fmin, IntegerMin>("fmin"),
    IntegerPair<Gcd>("gcd"),
    IntegerPair<Lcm>("lcm"),
    {"nextafter", ResultKind::kFloating, NextAfterLoop<float>, NextAfterLoop<double>, nullptr},
};

}  // namespace

const UnaryFunction* FindSpecialUnary(const std::string& name) {
  const auto* found = std::find_if(std::begin(kUnary), std::end(kUnary), [&](const auto& f) { return name == f.name; });
  return found == std::end(kUnary) ? FindHigherUnary(name) : found;
}

const BinaryFunction* FindSpecialBinary(const std::string& name) {
  const auto* found =
      std::find_if(std::begin(kBinary), std::end(kBinary), [&](const auto& f) { return name == f.name; });
  return found == std::end(kBinary) ? FindHigherBinary(name) : found;
}

}  // namespace kuiper_infer::kernel
