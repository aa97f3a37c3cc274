// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/functions.hpp"

namespace kuiper_infer::kernel {

// Scalar special functions, exact to about 1e-13 relative unless stated. Arguments outside the domain give NaN.

/// The logarithmic derivative of the gamma function (Abramowitz and Stegun 6.3).
double Digamma(double x);
/// Hurwitz's zeta function, sum over k >= 0 of (k + q)^-x, by Euler and Maclaurin's summation.
double HurwitzZeta(double x, double q);
/// Derivative `order` of the digamma function.
double Polygamma(int order, double x);
/// Modified Bessel functions of the first kind of order 0 and 1; the scaled ones are multiplied by e^-|x|.
double BesselI(int order, double x, bool scaled);
/// e^(x^2) erfc(x) without overflow for positive x.
double ScaledErfc(double x);
double InverseErf(double x);
/// The logarithm of the normal distribution's integral up to x.
double LogNormalIntegral(double x);

/// Tables of functions built on these, searched by FindUnary and FindBinary.
const UnaryFunction* FindSpecialUnary(const std::string& name);
const BinaryFunction* FindSpecialBinary(const std::string& name);

}  // namespace kuiper_infer::kernel
