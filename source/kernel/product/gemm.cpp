// SPDX-License-Identifier: MIT
#include "kernel/product/gemm.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "kernel/product/blas.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The type in which elements are multiplied. Integers are multiplied as unsigned numbers of at least 32 bits: signed
/// overflow would be undefined.
template <class T, bool = std::is_integral_v<T>>
struct Arithmetic {
  using type = T;
};
template <class T>
struct Arithmetic<T, true> {
  using type = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
};

template <class T>
void ScaleRow(T beta, T* c, int64_t n) {
  using Wide = typename Arithmetic<T>::type;
  if (beta == T(0)) {
    std::fill_n(c, n, T(0));
  } else if (beta != T(1)) {
    for (int64_t j = 0; j < n; ++j) c[j] = static_cast<T>(static_cast<Wide>(beta) * static_cast<Wide>(c[j]));
  }
}

/// Multiplies by plain loops. Row i of C gathers scaled rows of op(B): if B is not transposed, the inner loop runs
/// along memory; otherwise it is a dot product along both operands.
template <class T>
void PlainGemm(bool trans_a, bool trans_b, int64_t m, int64_t n, int64_t k, T alpha, const T* a, int64_t lda,
               const T* b, int64_t ldb, T beta, T* c, int64_t ldc) {
  using Wide = typename Arithmetic<T>::type;
  ParallelFor(m, GrainFor(n * k), [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      T* row = c + i * ldc;
      ScaleRow(beta, row, n);
      const auto element = [&](int64_t p) { return static_cast<Wide>(trans_a ? a[p * lda + i] : a[i * lda + p]); };
      if (trans_b) {
        for (int64_t j = 0; j < n; ++j) {
          Wide sum(0);
          for (int64_t p = 0; p < k; ++p) sum += element(p) * static_cast<Wide>(b[j * ldb + p]);
          row[j] = static_cast<T>(static_cast<Wide>(row[j]) + static_cast<Wide>(alpha) * sum);
        }
        continue;
      }
      for (int64_t p = 0; p < k; ++p) {
        const Wide factor = static_cast<Wide>(alpha) * element(p);
        const T* source = b + p * ldb;
        for (int64_t j = 0; j < n; ++j) {
          row[j] = static_cast<T>(static_cast<Wide>(row[j]) + factor * static_cast<Wide>(source[j]));
        }
      }
    }
  });
}

bool FitsBlas(int64_t m, int64_t n, int64_t k, int64_t lda, int64_t ldb, int64_t ldc) {
  return std::max({m, n, k, lda, ldb, ldc}) <= std::numeric_limits<blas::Int>::max();
}

/// Shares a product among threads: parts of the rows or columns of C, whichever are more. A part is large enough that
/// copying the other side, which OpenBLAS does for each, costs little.
template <class T>
void ShareBlasGemm(bool trans_a, bool trans_b, int64_t m, int64_t n, int64_t k, T alpha, const T* a, int64_t lda,
                   const T* b, int64_t ldb, T beta, T* c, int64_t ldc) {
  constexpr int64_t kLeast = 32;  // rows or columns of a part
  constexpr int64_t kWorthThread = int64_t{1} << 20;
  const bool by_rows = m >= n;
  const int64_t grain = std::max(kLeast, kWorthThread / std::max<int64_t>(k * std::min(m, n), 1));
  ParallelFor(by_rows ? m : n, grain, [&](int64_t first, int64_t last) {
    if (by_rows) {
      blas::Gemm(trans_a, trans_b, last - first, n, k, alpha, a + first * (trans_a ? 1 : lda), lda, b, ldb, beta,
                 c + first * ldc, ldc);
    } else {
      blas::Gemm(trans_a, trans_b, m, last - first, k, alpha, a, lda, b + first * (trans_b ? ldb : 1), ldb, beta,
                 c + first, ldc);
    }
  });
}

}  // namespace

template <class T>
void Gemm(bool trans_a, bool trans_b, int64_t m, int64_t n, int64_t k, T alpha, const T* a, int64_t lda, const T* b,
          int64_t ldb, T beta, T* c, int64_t ldc) {
  if (m <= 0 || n <= 0) return;
  if (k <= 0) {
    for (int64_t i = 0; i < m; ++i) ScaleRow(beta, c + i * ldc, n);
    return;
  }
  // BLAS refuses leading dimensions below the row length, which single rows may have here.
  lda = std::max(lda, trans_a ? m : k);
  ldb = std::max(ldb, trans_b ? k : n);
  if constexpr (std::is_floating_point_v<T> && blas::kLinked) {
    if (FitsBlas(m, n, k, lda, ldb, ldc)) {
      ShareBlasGemm(trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, std::max(ldc, n));
      return;
    }
  }
  PlainGemm(trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

#define KUIPER_INSTANTIATE(T) \
  template void Gemm<T>(bool, bool, int64_t, int64_t, int64_t, T, const T*, int64_t, const T*, int64_t, T, T*, int64_t);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
KUIPER_INSTANTIATE(std::complex<float>)
KUIPER_INSTANTIATE(std::complex<double>)
KUIPER_INSTANTIATE(int8_t)
KUIPER_INSTANTIATE(uint8_t)
KUIPER_INSTANTIATE(int16_t)
KUIPER_INSTANTIATE(int32_t)
KUIPER_INSTANTIATE(int64_t)
#undef KUIPER_INSTANTIATE

}  // namespace kuiper_infer::kernel
