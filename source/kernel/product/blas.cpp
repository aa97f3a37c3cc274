// SPDX-License-Identifier: MIT
#include "kernel/product/blas.hpp"

#include <algorithm>

#include "kernel/product/openblas_scope.hpp"

namespace kuiper_infer::kernel::blas {
namespace {

CBLAS_TRANSPOSE Transposition(bool transposed) { return transposed ? CblasTrans : CblasNoTrans; }

template <class T>
struct Routines;

template <>
struct Routines<float> {
  static constexpr auto kGemm = cblas_sgemm;
  static constexpr auto kGemv = cblas_sgemv;
};

template <>
struct Routines<double> {
  static constexpr auto kGemm = cblas_dgemm;
  static constexpr auto kGemv = cblas_dgemv;
};

}  // namespace

template <class T>
void Gemm(bool trans_a, bool trans_b, int64_t m, int64_t n, int64_t k, T alpha, const T* a, int64_t lda, const T* b,
          int64_t ldb, T beta, T* c, int64_t ldc) {
  const auto narrow = [](int64_t value) { return static_cast<blasint>(value); };
  const OpenBlasScope scope;
  if (m == 1 || (n == 1 && ldc == 1)) {
    // A product with a vector is bound by reading the matrix, which the general routine would copy first. One row is
    // C' = op(B)' * op(A)'.
    std::fill_n(c, beta == T(0) ? std::max(m, n) : 0, T(0));
    const bool row = m == 1;
    const bool transposed = row ? !trans_b : trans_a;
    const int64_t rows = row ? (trans_b ? n : k) : (trans_a ? k : m);
    const int64_t columns = row ? (trans_b ? k : n) : (trans_a ? m : k);
    const int64_t stride = row ? (trans_a ? lda : 1) : (trans_b ? 1 : ldb);
    Routines<T>::kGemv(CblasRowMajor, Transposition(transposed), narrow(rows), narrow(columns), alpha, row ? b : a,
                       narrow(row ? ldb : lda), row ? a : b, narrow(stride), beta, c, 1);
    return;
  }
  Routines<T>::kGemm(CblasRowMajor, Transposition(trans_a), Transposition(trans_b), narrow(m), narrow(n), narrow(k),
                     alpha, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}

template void Gemm(bool, bool, int64_t, int64_t, int64_t, float, const float*, int64_t, const float*, int64_t, float,
                   float*, int64_t);
template void Gemm(bool, bool, int64_t, int64_t, int64_t, double, const double*, int64_t, const double*, int64_t,
                   double, double*, int64_t);

}  // namespace kuiper_infer::kernel::blas
