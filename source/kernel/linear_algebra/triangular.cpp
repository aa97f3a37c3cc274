// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/triangular.hpp"

#include <cblas.h>

#include "kernel/product/openblas_scope.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class T>
struct Blas;
template <>
struct Blas<float> {
  static constexpr auto kTrsm = cblas_strsm;
};
template <>
struct Blas<double> {
  static constexpr auto kTrsm = cblas_dtrsm;
};

template <class T>
void Solve(CBLAS_SIDE side, const Triangle& triangle, int64_t rows, int64_t columns, int64_t n, const T* a, T* b) {
  if (rows == 0 || columns == 0) return;
  const OpenBlasScope scope;
  Blas<T>::kTrsm(CblasRowMajor, side, triangle.upper ? CblasUpper : CblasLower,
                 triangle.transposed ? CblasTrans : CblasNoTrans, triangle.unit ? CblasUnit : CblasNonUnit,
                 static_cast<blasint>(rows), static_cast<blasint>(columns), T(1), a, static_cast<blasint>(n), b,
                 static_cast<blasint>(columns));
}

}  // namespace

template <class T>
void SolveTriangular(const Triangle& triangle, int64_t n, int64_t sides, const T* a, T* b) {
  Solve(CblasLeft, triangle, n, sides, n, a, b);
}

template <class T>
void SolveTriangularRight(const Triangle& triangle, int64_t n, int64_t sides, const T* a, T* b) {
  Solve(CblasRight, triangle, sides, n, n, a, b);
}

template void SolveTriangular(const Triangle&, int64_t, int64_t, const float*, float*);
template void SolveTriangular(const Triangle&, int64_t, int64_t, const double*, double*);
template void SolveTriangularRight(const Triangle&, int64_t, int64_t, const float*, float*);
template void SolveTriangularRight(const Triangle&, int64_t, int64_t, const double*, double*);

}  // namespace kuiper_infer::kernel
