// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/linear_algebra/column_major.hpp"
#include "kernel/linear_algebra/lapack.hpp"
#include "kernel/linear_algebra/triangular.hpp"

namespace kuiper_infer::kernel {

template <class T>
int Cholesky(bool upper, int64_t n, const T* a, T* factor) {
  std::copy_n(a, n * n, factor);
  if (upper) {
    ClearBelowDiagonal(n, n, factor);
  } else {
    ClearAboveDiagonal(n, n, factor);
  }
  // The lower triangle is the upper one of the transposed, that is of the column-major, matrix.
  const int failed = lapack::Potrf(upper ? 'L' : 'U', n, factor);
  // Some libraries take NaN for a positive number.
  for (int i = 0; i < (failed != 0 ? failed - 1 : n); ++i) {
    if (std::isnan(factor[i * n + i])) return i + 1;
  }
  return failed;
}

template <class T>
void SolveByCholesky(bool upper, int64_t n, int64_t sides, const T* factor, T* b) {
  SolveTriangular({upper, upper, false}, n, sides, factor, b);
  SolveTriangular({upper, !upper, false}, n, sides, factor, b);
}

template int Cholesky(bool, int64_t, const float*, float*);
template int Cholesky(bool, int64_t, const double*, double*);
template void SolveByCholesky(bool, int64_t, int64_t, const float*, float*);
template void SolveByCholesky(bool, int64_t, int64_t, const double*, double*);

}  // namespace kuiper_infer::kernel
