// SPDX-License-Identifier: MIT
#pragma once

namespace kuiper_infer::kernel {

/// Families of orthogonal polynomials. The four kinds of Chebyshev's are also known as T, U, V and W; kHermite is the
/// physicists' H, kHermiteE the probabilists' He.
enum class PolynomialKind {
  kChebyshevT,
  kChebyshevU,
  kChebyshevV,
  kChebyshevW,
  kHermite,
  kHermiteE,
  kLaguerre,
  kLegendre,
};

/// The polynomial of degree n at x; a fraction of n is cut off. It is computed by the recurrences of Abramowitz and
/// Stegun 22.7 or, for Chebyshev polynomials of high degrees, closed forms (22.3.15). As in PyTorch, a degree that is
/// negative or does not fit 64 bits gives zero. Hermite polynomials give NaN from degree 513 on, since they overflow
/// for most x. Laguerre and Legendre polynomials give NaN from degree 2^20 on, since the recurrences would take long.
double Polynomial(PolynomialKind kind, double x, double n);

}  // namespace kuiper_infer::kernel
