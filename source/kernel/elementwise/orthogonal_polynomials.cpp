// SPDX-License-Identifier: MIT
#include "kernel/elementwise/orthogonal_polynomials.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace kuiper_infer::kernel {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// p(k + 1) from q = p(k) and before = p(k - 1).
double Next(PolynomialKind kind, double x, double k, double q, double before) {
  switch (kind) {
    case PolynomialKind::kHermite:
      return 2 * x * q - 2 * k * before;
    case PolynomialKind::kHermiteE:
      return x * q - k * before;
    case PolynomialKind::kLaguerre:
      return ((2 * k + 1 - x) * q - k * before) / (k + 1);
    case PolynomialKind::kLegendre:
      return ((2 * k + 1) * x * q - k * before) / (k + 1);
    default:
      return 2 * x * q - before;
  }
}

/// The polynomial of degree 1.
double First(PolynomialKind kind, double x) {
  switch (kind) {
    case PolynomialKind::kChebyshevU:
    case PolynomialKind::kHermite:
      return 2 * x;
    case PolynomialKind::kChebyshevV:
      return 2 * x - 1;
    case PolynomialKind::kChebyshevW:
      return 2 * x + 1;
    case PolynomialKind::kLaguerre:
      return 1 - x;
    default:
      return x;
  }
}

double ByRecurrence(PolynomialKind kind, double x, int64_t degree) {
  double before = 1;
  double q = degree == 0 ? 1 : First(kind, x);
  for (int64_t k = 1; k < degree && !std::isnan(q); ++k) {
    const double next = Next(kind, x, static_cast<double>(k), q, before);
    before = q;
    q = next;
  }
  return q;
}

/// Chebyshev polynomials by trigonometric functions or, beyond 1, hyperbolic ones. x is not negative.
double ClosedChebyshev(PolynomialKind kind, double x, double degree) {
  const bool inside = x < 1;
  const double angle = inside ? std::acos(x) : std::acosh(x);
  const auto cosine = [&](double t) { return inside ? std::cos(t) : std::cosh(t); };
  const auto sine = [&](double t) { return inside ? std::sin(t) : std::sinh(t); };
  switch (kind) {
    case PolynomialKind::kChebyshevT:
      return cosine(degree * angle);
    case PolynomialKind::kChebyshevU:
      return angle == 0 ? degree + 1 : sine((degree + 1) * angle) / sine(angle);
    case PolynomialKind::kChebyshevV:
      return cosine((degree + 0.5) * angle) / cosine(angle / 2);
    default:
      return angle == 0 ? 2 * degree + 1 : sine((degree + 0.5) * angle) / sine(angle / 2);
  }
}

double Chebyshev(PolynomialKind kind, double x, int64_t degree) {
  constexpr int64_t kLowDegree = 8;
  if (degree <= kLowDegree || !std::isfinite(x)) return ByRecurrence(kind, x, degree);
  if (x >= 0) return ClosedChebyshev(kind, x, static_cast<double>(degree));
  // Reflection at 0 turns V into W, and changes the sign of odd degrees.
  if (kind == PolynomialKind::kChebyshevV) {
    kind = PolynomialKind::kChebyshevW;
  } else if (kind == PolynomialKind::kChebyshevW) {
    kind = PolynomialKind::kChebyshevV;
  }
  const double value = ClosedChebyshev(kind, -x, static_cast<double>(degree));
  return degree % 2 == 0 ? value : -value;
}

}  // namespace

double Polynomial(PolynomialKind kind, double x, double n) {
  constexpr double kTooLarge = 9223372036854775808.0;  // 2^63
  if (!(n > -1 && n < kTooLarge)) return 0;
  const auto degree = static_cast<int64_t>(n);
  constexpr int64_t kMostHermite = 512;
  constexpr int64_t kMostSteps = int64_t{1} << 20;
  switch (kind) {
    case PolynomialKind::kHermite:
    case PolynomialKind::kHermiteE:
      return degree > kMostHermite ? kNaN : ByRecurrence(kind, x, degree);
    case PolynomialKind::kLaguerre:
      if (x == 0) return 1;
      return degree >= kMostSteps ? kNaN : ByRecurrence(kind, x, degree);
    case PolynomialKind::kLegendre:
      if (std::abs(x) == 1) return x > 0 || degree % 2 == 0 ? 1 : -1;
      return degree >= kMostSteps ? kNaN : ByRecurrence(kind, x, degree);
    default:
      return Chebyshev(kind, x, degree);
  }
}

}  // namespace kuiper_infer::kernel
