// SPDX-License-Identifier: MIT
// The table of higher transcendental functions, polynomials and the parts of floating-point numbers.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "kernel/elementwise/bessel_functions.hpp"
#include "kernel/elementwise/incomplete_gamma.hpp"
#include "kernel/elementwise/orthogonal_polynomials.hpp"
#include "kernel/elementwise/special_functions.hpp"

namespace kuiper_infer::kernel {
namespace {

// All are computed in double.
template <double (*kFunction)(double), class T>
void UnaryLoop(const T* x, T* y, int64_t count, const double* /*p*/) {
  for (int64_t i = 0; i < count; ++i) y[i] = static_cast<T>(kFunction(static_cast<double>(x[i])));
}
template <double (*kFunction)(double, double), class T>
void BinaryLoop(const T* a, const T* b, T* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    y[i] = static_cast<T>(kFunction(static_cast<double>(a[i]), static_cast<double>(b[i])));
  }
}

template <double (*kFunction)(double)>
constexpr UnaryFunction Single(const char* name) {
  return {name, ResultKind::kFloating, UnaryLoop<kFunction, float>, UnaryLoop<kFunction, double>, nullptr};
}
template <double (*kFunction)(double, double)>
constexpr BinaryFunction Pair(const char* name) {
  return {name, ResultKind::kFloating, BinaryLoop<kFunction, float>, BinaryLoop<kFunction, double>, nullptr};
}

template <int kOrder>
double Y(double x) {
  return BesselY(kOrder, x);
}
template <int kOrder, bool kScaled>
double K(double x) {
  return BesselK(kOrder, x, kScaled);
}
template <PolynomialKind kKind>
double PolynomialOf(double x, double n) {
  return Polynomial(kKind, x, n);
}
/// The polynomial moved from [-1, 1] to [0, 1].
template <PolynomialKind kKind>
double ShiftedOf(double x, double n) {
  return Polynomial(kKind, 2 * x - 1, n);
}

/// The m of x = m * 2^e with a magnitude in [0.5, 1). Zeros, infinities and NaN give themselves.
double Mantissa(double x) {
  int exponent = 0;
  return std::isfinite(x) ? std::frexp(x, &exponent) : x;
}
/// The e of x = m * 2^e; 0 for zeros, infinities and NaN.
double Exponent(double x) {
  int exponent = 0;
  if (std::isfinite(x)) std::frexp(x, &exponent);
  return exponent;
}

constexpr UnaryFunction kUnary[] = {
    Single<Y<0>>("bessel_y0"),
    Single<Y<1>>("bessel_y1"),
    Single<K<0, false>>("modified_bessel_k0"),
    Single<K<1, false>>("modified_bessel_k1"),
    Single<K<0, true>>("scaled_modified_bessel_k0"),
    Single<K<1, true>>("scaled_modified_bessel_k1"),
    Single<SphericalBesselJ0>("spherical_bessel_j0"),
    Single<AiryAi>("airy_ai"),
    Single<Mantissa>("frexp_mantissa"),
    Single<Exponent>("frexp_exponent"),
};

constexpr BinaryFunction kBinary[] = {
    Pair<LowerGamma>("igamma"),
    Pair<UpperGamma>("igammac"),
    Pair<PolynomialOf<PolynomialKind::kChebyshevT>>("chebyshev_polynomial_t"),
    Pair<PolynomialOf<PolynomialKind::kChebyshevU>>("chebyshev_polynomial_u"),
    Pair<PolynomialOf<PolynomialKind::kChebyshevV>>("chebyshev_polynomial_v"),
    Pair<PolynomialOf<PolynomialKind::kChebyshevW>>("chebyshev_polynomial_w"),
    Pair<ShiftedOf<PolynomialKind::kChebyshevT>>("shifted_chebyshev_polynomial_t"),
    Pair<ShiftedOf<PolynomialKind::kChebyshevU>>("shifted_chebyshev_polynomial_u"),
    Pair<ShiftedOf<PolynomialKind::kChebyshevV>>("shifted_chebyshev_polynomial_v"),
    Pair<ShiftedOf<PolynomialKind::kChebyshevW>>("shifted_chebyshev_polynomial_w"),
    Pair<PolynomialOf<PolynomialKind::kHermite>>("hermite_polynomial_h"),
    Pair<PolynomialOf<PolynomialKind::kHermiteE>>("hermite_polynomial_he"),
    Pair<PolynomialOf<PolynomialKind::kLaguerre>>("laguerre_polynomial_l"),
    Pair<PolynomialOf<PolynomialKind::kLegendre>>("legendre_polynomial_p"),
};

template <class Table>
auto Find(const Table& table, const std::string& name) {
  const auto* found = std::find_if(std::begin(table), std::end(table), [&](const auto& f) { return name == f.name; });
  return found == std::end(table) ? nullptr : found;
}

}  // namespace

const UnaryFunction* FindHigherUnary(const std::string& name) { return Find(kUnary, name); }
const BinaryFunction* FindHigherBinary(const std::string& name) { return Find(kBinary, name); }

}  // namespace kuiper_infer::kernel
