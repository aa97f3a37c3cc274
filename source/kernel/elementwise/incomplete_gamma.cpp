// SPDX-License-Identifier: MIT
#include "kernel/elementwise/incomplete_gamma.hpp"

#include <cmath>
#include <limits>

namespace kuiper_infer::kernel {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kEpsilon = 1e-16;
/// From this a on the uniform expansion is exact enough. For a smaller a the other two methods converge soon.
constexpr double kLarge = 1000;
constexpr int kMostTerms = 10000;

/// log(1 + t) - t without cancellation for small t.
double LogMinus(double t) {
  if (std::abs(t) > 0.1) return std::log1p(t) - t;
  double power = t;
  double sum = 0;
  for (int k = 2; k < 20; ++k) {
    power *= -t;
    sum += power / k;
  }
  return sum;
}

/// x^a e^-x / gamma(a + 1). For large a by Stirling's series, in which the large logarithms cancel.
double Prefactor(double a, double x) {
  if (a < 100) return std::exp(a * std::log(x) - x - std::lgamma(a + 1));
  const double t = (x - a) / a;
  const double correction = 1 / (12 * a) - 1 / (360 * a * a * a);
  return std::exp(a * LogMinus(t) - correction) / std::sqrt(2 * kPi * a);
}

/// P for x up to about a.
double LowerSeries(double a, double x) {
  double term = 1;
  double sum = 1;
  for (int k = 1; k < kMostTerms && term > sum * kEpsilon; ++k) {
    term *= x / (a + k);
    sum += term;
  }
  return sum * Prefactor(a, x);
}

/// Q for x from about a on, by Lentz's evaluation of the continued fraction.
double UpperFraction(double a, double x) {
  constexpr double kTiny = 1e-300;
  double b = x + 1 - a;
  double c = 1 / kTiny;
  double d = 1 / b;
  double product = d;
  for (int k = 1; k < kMostTerms; ++k) {
    const double numerator = -k * (k - a);
    b += 2;
    d = numerator * d + b;
    if (std::abs(d) < kTiny) d = kTiny;
    c = b + numerator / c;
    if (std::abs(c) < kTiny) c = kTiny;
    d = 1 / d;
    const double factor = d * c;
    product *= factor;
    if (std::abs(factor - 1) < kEpsilon * 4) break;
  }
  return product * a * Prefactor(a, x);
}

/// Temme's expansion up to the first power of 1 / a: Q with `upper`, else P.
double Uniform(double a, double x, bool upper) {
  const double lambda = x / a;
  const double t = (x - a) / a;
  const double eta = std::copysign(std::sqrt(-2 * LogMinus(t)), t);
  double first;
  double second;
  if (std::abs(eta) < 0.05) {  // Taylor's series of the two coefficients, which are differences of poles
    first = -1.0 / 3 + eta * (1.0 / 12 + eta * (-2.0 / 135 + eta * (1.0 / 864 + eta * (1.0 / 2835))));
    second = -1.0 / 540 + eta * (-1.0 / 288 + eta * (1.0 / 378 + eta * (-77.0 / 77760)));
  } else {
    first = 1 / (lambda - 1) - 1 / eta;
    second = 1 / (eta * eta * eta) - 1 / (t * t * t) - 1 / (t * t) - 1 / (12 * t);
  }
  const double rest = std::exp(a * LogMinus(t)) / std::sqrt(2 * kPi * a) * (first + second / a);
  const double edge = eta * std::sqrt(a / 2);
  return upper ? std::erfc(edge) / 2 + rest : std::erfc(-edge) / 2 - rest;
}

double Regularised(double a, double x, bool upper) {
  if (a < 0 || x < 0) return kNaN;
  const double none = upper ? 1 : 0;  // the result if none of the mass lies below x
  if (a == 0) return x > 0 ? 1 - none : kNaN;
  if (x == 0) return none;
  if (std::isinf(a)) return std::isinf(x) ? kNaN : none;
  if (std::isinf(x)) return 1 - none;
  if (std::isnan(a) || std::isnan(x)) return kNaN;
  if (a >= kLarge && std::abs(x - a) < 0.4 * a) return Uniform(a, x, upper);
  if (x < a + 1) return upper ? 1 - LowerSeries(a, x) : LowerSeries(a, x);
  return upper ? UpperFraction(a, x) : 1 - UpperFraction(a, x);
}

}  // namespace

double LowerGamma(double a, double x) { return Regularised(a, x, false); }
double UpperGamma(double a, double x) { return Regularised(a, x, true); }

}  // namespace kuiper_infer::kernel
