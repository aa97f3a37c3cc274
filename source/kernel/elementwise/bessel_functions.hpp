// SPDX-License-Identifier: MIT
#pragma once

namespace kuiper_infer::kernel {

// Bessel functions and their relatives of real arguments, with relative errors up to 1e-11 (special_functions_test).
// Near a zero of a function, the error is relative to its amplitude. Arguments outside of the domain give NaN.

/// The Bessel function of the second kind Y of order 0 or 1. Minus infinity at 0, NaN below.
double BesselY(int order, double x);
/// The modified Bessel function of the second kind K of order 0 or 1; the scaled one is multiplied by e^x. Infinity at
/// 0, NaN below.
double BesselK(int order, double x, bool scaled);
/// The Airy function Ai, expressed by Bessel functions of order 1/3 (DLMF 9.6). NaN at infinities.
double AiryAi(double x);
/// The spherical Bessel function of the first kind of order 0, sin(x) / x.
double SphericalBesselJ0(double x);

}  // namespace kuiper_infer::kernel
