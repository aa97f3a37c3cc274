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

/// The polynomial of degree n, whose fraction is cut off, at x: by the recurrences of Abramowitz and Stegun 22.7, and
/// for Chebyshev polynomials of higher degrees by their closed forms (22.3.15). Zero for a negative degree and for one
/// that 64 bits don't hold, as PyTorch does. NaN for Hermite polynomials from degree 513 on, which overflow for most x,
/// and for Laguerre and Legendre polynomials from degree 2^20 on, whose recurrences would take long.
double Polynomial(PolynomialKind kind, double x, double n);

}  // namespace kuiper_infer::kernel
