// SPDX-License-Identifier: MIT
#include "kernel/elementwise/bessel_functions.hpp"

#include <cmath>
#include <limits>

#include "kernel/elementwise/cylinder_functions.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double BesselY(int order, double x) {
  if (std::isnan(x) || x < 0) return kNaN;
  if (x == 0) return -kInfinity;
  return std::isinf(x) ? kNaN : cyl_neumann(static_cast<double>(order), x);
}

double BesselK(int order, double x, bool scaled) {
  if (std::isnan(x) || x < 0) return kNaN;
  if (x == 0) return kInfinity;
  constexpr double kLarge = 100;
  if (x < kLarge) return cyl_bessel_k(static_cast<double>(order), x) * (scaled ? std::exp(x) : 1);
  // Abramowitz and Stegun 9.7.2.
  const double mu = 4.0 * order * order;
  double term = 1;
  double series = 1;
  for (int k = 1; k < 8; ++k) {
    term *= (mu - (2 * k - 1) * (2 * k - 1)) / (k * 8 * x);
    series += term;
  }
  return series * std::sqrt(kPi / (2 * x)) * (scaled ? 1 : std::exp(-x));
}

double AiryAi(double x) {
  if (std::isnan(x) || std::isinf(x)) return kNaN;
  if (std::abs(x) < 1e-10) return 0.35502805388781723926 - 0.25881940379280679841 * x;  // Maclaurin's series
  constexpr double kThird = 1.0 / 3;
  constexpr double kUnderflow = 103.9;  // from here on Ai is below the smallest normal number
  if (x > kUnderflow) return 0;
  const double z = std::abs(x);
  const double zeta = 2 * kThird * z * std::sqrt(z);
  if (x > 0) return std::sqrt(z / 3) / kPi * cyl_bessel_k(kThird, zeta);
  return std::sqrt(z) / 2 * (cyl_bessel_j(kThird, zeta) - cyl_neumann(kThird, zeta) / std::sqrt(3.0));
}

double SphericalBesselJ0(double x) {
  if (x == 0) return 1;
  return std::isinf(x) ? 0 : std::sin(x) / x;
}

}  // namespace kuiper_infer::kernel
