// SPDX-License-Identifier: MIT
#include "kernel/elementwise/special_functions.hpp"

#include <cmath>
#include <limits>

#include "kernel/elementwise/cylinder_functions.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// B(2k) for k = 1, 2, ...: the coefficients of asymptotic series.
constexpr double kBernoulli[] = {1.0 / 6,       -1.0 / 30, 1.0 / 42,      -1.0 / 30,     5.0 / 66,
                                 -691.0 / 2730, 7.0 / 6,   -3617.0 / 510, 43867.0 / 798, -174611.0 / 330};

}  // namespace

double Digamma(double x) {
  if (x == 0) return std::copysign(kInfinity, -x);
  if (x < 0) {
    if (x == std::floor(x)) return kNaN;
    return Digamma(1 - x) - kPi / std::tan(kPi * x);
  }
  double result = 0;
  for (; x < 10; ++x) result -= 1 / x;
  const double inverse = 1 / (x * x);
  double power = inverse;
  result += std::log(x) - 0.5 / x;
  for (int k = 0; k < 7; ++k, power *= inverse) result -= kBernoulli[k] / (2 * (k + 1)) * power;
  return result;
}

double HurwitzZeta(double x, double q) {
  if (x == 1) return kInfinity;
  if (x < 1) return kNaN;
  if (q <= 0) {
    if (q == std::floor(q)) return kInfinity;
    if (x != std::floor(x)) return kNaN;
  }
  constexpr int kTerms = 12;
  double sum = 0;
  for (int k = 0; k < kTerms; ++k) sum += std::pow(q + k, -x);
  const double w = q + kTerms;
  sum += std::pow(w, 1 - x) / (x - 1) + 0.5 * std::pow(w, -x);
  double rising = x;  // x (x + 1) ... (x + 2k), over (2k + 2)!
  double factorial = 2;
  double power = std::pow(w, -x - 1);
  for (int k = 0; k < 10; ++k) {
    sum += kBernoulli[k] * rising / factorial * power;
    rising *= (x + 2 * k + 1) * (x + 2 * k + 2);
    factorial *= (2 * k + 3) * (2 * k + 4);
    power /= w * w;
  }
  return sum;
}

double Polygamma(int order, double x) {
  if (order == 0) return Digamma(x);
  const double magnitude = std::tgamma(order + 1.0) * HurwitzZeta(order + 1.0, x);
  return order % 2 == 0 ? -magnitude : magnitude;
}

double BesselI(int order, double x, bool scaled) {
  if (std::isnan(x)) return x;
  const double y = std::abs(x);
  double value;
  constexpr double kLarge = 500;  // from here on e^x comes near the largest number
  if (y < kLarge) {
    value = cyl_bessel_i(static_cast<double>(order), y) * (scaled ? std::exp(-y) : 1);
  } else {
    // Abramowitz and Stegun 9.7.1.
    const double mu = 4.0 * order * order;
    double term = 1;
    double series = 1;
    for (int k = 1; k < 8; ++k) {
      term *= -(mu - (2 * k - 1) * (2 * k - 1)) / (k * 8 * y);
      series += term;
    }
    value = series / std::sqrt(2 * kPi * y) * (scaled ? 1 : std::exp(y));
  }
  return order % 2 == 1 && x < 0 ? -value : value;
}

double ScaledErfc(double x) {
  if (x < 20) return std::exp(x * x) * std::erfc(x);
  const double inverse = 1 / (2 * x * x);
  double term = 1;
  double series = 1;
  for (int k = 1; k < 8; ++k) {
    term *= -(2 * k - 1) * inverse;
    series += term;
  }
  return series / (x * std::sqrt(kPi));
}

double InverseErf(double x) {
  if (x <= -1 || x >= 1) return x == -1 ? -kInfinity : (x == 1 ? kInfinity : kNaN);
  // Winitzki's closed form to start with, then Newton's steps.
  const double log = std::log((1 - x) * (1 + x));
  const double a = 2 / (kPi * 0.147) + log / 2;
  double y = std::copysign(std::sqrt(std::sqrt(a * a - log / 0.147) - a), x);
  for (int step = 0; step < 4; ++step) {
    const double slope = 2 / std::sqrt(kPi) * std::exp(-y * y);
    // Near the ends 1 - |x| carries the digits.
    const double error =
        std::abs(x) < 0.5 ? std::erf(y) - x : (x < 0 ? -1 : 1) * ((1 - std::abs(x)) - std::erfc(std::abs(y)));
    y -= error / slope;
  }
  return y;
}

double LogNormalIntegral(double x) {
  const double t = x * 0.70710678118654752440;
  return x < -1 ? std::log(ScaledErfc(-t) / 2) - t * t : std::log1p(-std::erfc(t) / 2);
}

double InverseNormalIntegral(double p) {
  constexpr double kTail = 0.02;
  if (!(p > 0 && p < kTail)) {
    const double upper = 1 - p;
    if (p < 1 && upper < kTail) return -InverseNormalIntegral(upper);
    return 1.41421356237309504880 * InverseErf(2 * p - 1);
  }
  // 2 p - 1 would lose the digits of a small p. Newton's steps solve log Phi(y) = log p, whose left side is concave.
  const double log = std::log(p);
  double y = -std::sqrt(-2 * log);
  for (int step = 0; step < 8; ++step) {
    const double value = LogNormalIntegral(y);
    const double slope = std::exp(-y * y / 2 - value) / std::sqrt(2 * kPi);
    y -= (value - log) / slope;
  }
  return y;
}

}  // namespace kuiper_infer::kernel
