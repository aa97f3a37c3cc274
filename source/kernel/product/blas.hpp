// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#ifndef KUIPER_WITHOUT_BLAS
#include <cblas.h>
#endif

/// The seam to OpenBLAS, which holds BLAS and LAPACK. Four files call it: blas.cpp, and triangular.cpp, lapack.cpp and
/// least_squares_drivers.cpp of linear_algebra/. A build with KUIPER_WITHOUT_BLAS compiles without_blas.cpp of
/// linear_algebra/ in their place.
namespace kuiper_infer::kernel::blas {

#ifdef KUIPER_WITHOUT_BLAS
using Int = int32_t;
constexpr bool kLinked = false;
#else
/// 32 bits, or 64 in a build of OpenBLAS for them.
using Int = blasint;
constexpr bool kLinked = true;
#endif

/// kernel::Gemm (gemm.hpp) on the calling thread alone, for float and double and extents that Int can count. A build
/// without BLAS has no such function, see kLinked.
template <class T>
void Gemm(bool trans_a, bool trans_b, int64_t m, int64_t n, int64_t k, T alpha, const T* a, int64_t lda, const T* b,
          int64_t ldb, T beta, T* c, int64_t ldc);

}  // namespace kuiper_infer::kernel::blas
