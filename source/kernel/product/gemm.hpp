// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstdint>

namespace kuiper_infer::kernel {

/// C = alpha * op(A) * op(B) + beta * C on row-major matrices: op(A) is m x k, op(B) is k x n, C is m x n with rows ldc
/// elements apart. op(A) is A, whose rows are lda apart, or, with trans_a, the transpose of a k x m matrix A; op(B)
/// follows from B, ldb and trans_b. Leading dimensions are at least the row length unless there is only one row. With
/// beta = 0 the former content of C is not read, so that it may be uninitialised or NaN; with k = 0 the product is
/// zero. C must not overlap A or B.
///
/// float and double go to OpenBLAS, which spreads large products over threads of its own, but not inside a parallel
/// region; integers wrap around as PyTorch's do. Instantiated for float, double, std::complex of both, int8_t, uint8_t,
/// int16_t, int32_t and int64_t.
template <class T>
void Gemm(bool trans_a, bool trans_b, int64_t m, int64_t n, int64_t k, T alpha, const T* a, int64_t lda, const T* b,
          int64_t ldb, T beta, T* c, int64_t ldc);

}  // namespace kuiper_infer::kernel
