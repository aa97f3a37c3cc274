// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

// Determinants from the factors that LuFactor makes (lu.hpp), for float and double.

/// The determinant's sign (0 if the determinant is 0) and the logarithm of its magnitude.
template <class T>
void LogDeterminant(int64_t n, const T* lu, const int32_t* pivots, T* sign, T* log_magnitude);
template <class T>
T Determinant(int64_t n, const T* lu, const int32_t* pivots);

}  // namespace kuiper_infer::kernel
