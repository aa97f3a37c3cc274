// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/determinant.hpp"

#include <cmath>

namespace kuiper_infer::kernel {
namespace {

/// The sign of the permutation.
template <class T>
T PivotSign(int64_t n, const int32_t* pivots) {
  T sign(1);
  for (int64_t i = 0; i < n; ++i) {
    if (pivots[i] != i + 1) sign = -sign;
  }
  return sign;
}

}  // namespace

template <class T>
void LogDeterminant(int64_t n, const T* lu, const int32_t* pivots, T* sign, T* log_magnitude) {
  *sign = PivotSign<T>(n, pivots);
  *log_magnitude = T(0);
  for (int64_t i = 0; i < n; ++i) {
    const T element = lu[i * n + i];
    *sign *= element > T(0) ? T(1) : element < T(0) ? T(-1) : T(0);  // NaN has the sign 0
    *log_magnitude += std::log(std::abs(element));
  }
}

template <class T>
T Determinant(int64_t n, const T* lu, const int32_t* pivots) {
  T product = PivotSign<T>(n, pivots);
  for (int64_t i = 0; i < n; ++i) product *= lu[i * n + i];
  return product;
}

template void LogDeterminant(int64_t, const float*, const int32_t*, float*, float*);
template void LogDeterminant(int64_t, const double*, const int32_t*, double*, double*);
template float Determinant(int64_t, const float*, const int32_t*);
template double Determinant(int64_t, const double*, const int32_t*);

}  // namespace kuiper_infer::kernel
