// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/elementwise/functions.hpp"

namespace kuiper_infer::kernel {

// Scalar special functions with relative errors up to 1e-13 (special_functions_test). Near a zero of a function, the
// error is relative to the terms that cancel there. Arguments outside of the domain give NaN.

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
/// The y whose erf(y) is x; infinity at -1 and 1.
double InverseErf(double x);
/// The logarithm of the normal distribution's integral up to x.
double LogNormalIntegral(double x);
/// The number up to which the normal distribution's integral is p.
double InverseNormalIntegral(double p);

/// The special function of a name; null if there is none. FindUnary and FindBinary search here after their own tables.
const UnaryFunction* FindSpecialUnary(const std::string& name);
const BinaryFunction* FindSpecialBinary(const std::string& name);

/// The table of higher transcendental functions and polynomials, in which FindSpecialUnary and FindSpecialBinary search
/// last.
const UnaryFunction* FindHigherUnary(const std::string& name);
const BinaryFunction* FindHigherBinary(const std::string& name);

}  // namespace kuiper_infer::kernel
