// SPDX-License-Identifier: MIT
#pragma once

namespace kuiper_infer::kernel {

/// The regularised incomplete gamma functions: the lower one P(a, x) and the upper one Q(a, x) = 1 - P(a, x), with
/// relative errors up to 1e-9 (special_functions_test). Methods: the power series (DLMF 8.7.1), the continued fraction
/// (DLMF 8.9.2) or, for large a near x, Temme's uniform expansion (DLMF 8.12). NaN for negative arguments and where the
/// limit depends on the direction. As in PyTorch, a limit at 0 or infinity wins over a NaN in the other argument.
double LowerGamma(double a, double x);
double UpperGamma(double a, double x);

}  // namespace kuiper_infer::kernel
