// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/lu.hpp"

#include <algorithm>
#include <numeric>

#include "kernel/linear_algebra/column_major.hpp"
#include "kernel/linear_algebra/lapack.hpp"
#include "kernel/linear_algebra/triangular.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class T>
struct LuBuffers : ScratchParts {
  LuBuffers(int64_t rows, int64_t columns, std::byte* memory)
      : ScratchParts(memory), a(Take<T>(rows * columns)), pivots(Take<LapackInt>(std::min(rows, columns))) {}

  T* a;
  LapackInt* pivots;
};

template <class T>
int Factor(int64_t rows, int64_t columns, const LuBuffers<T>& buffers, T* lu, int32_t* pivots) {
  const int info = lapack::Getrf(rows, columns, buffers.a, buffers.pivots);
  ToRows(rows, columns, buffers.a, lu);
  std::copy_n(buffers.pivots, std::min(rows, columns), pivots);
  return info;
}

/// Exchanges the rows of a matrix of `width` columns as the pivots say, or undoes that.
template <class T>
void ExchangeRows(int64_t n, int64_t width, const int32_t* pivots, bool undo, T* b) {
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = undo ? n - 1 - step : step;
    const int64_t other = pivots[i] - 1;
    if (other != i) std::swap_ranges(b + i * width, b + (i + 1) * width, b + other * width);
  }
}

template <class T>
void ExchangeColumns(int64_t n, int64_t height, const int32_t* pivots, bool undo, T* b) {
  for (int64_t row = 0; row < height; ++row) ExchangeRows(n, 1, pivots, undo, b + row * n);
}

}  // namespace

template <class T>
int64_t LuScratch(int64_t rows, int64_t columns) {
  return LuBuffers<T>(rows, columns, nullptr).bytes();
}

template <class T>
int LuFactor(int64_t rows, int64_t columns, const T* a, T* lu, int32_t* pivots, std::byte* scratch) {
  const LuBuffers<T> buffers(rows, columns, scratch);
  ToColumns(rows, columns, a, buffers.a);
  return Factor(rows, columns, buffers, lu, pivots);
}

template <class T>
int LuFactorTransposed(int64_t n, const T* a, T* lu, int32_t* pivots, std::byte* scratch) {
  const LuBuffers<T> buffers(n, n, scratch);
  std::copy_n(a, n * n, buffers.a);
  return Factor(n, n, buffers, lu, pivots);
}

template <class T>
void SolveByLu(const LuSystem& system, int64_t n, int64_t sides, const T* lu, const int32_t* pivots, T* b) {
  const bool transposed = system.transposed;
  const Triangle lower{false, transposed, true};
  const Triangle upper{true, transposed, false};
  // A = P L U. In A X = B and X A' = B the permutation comes first, in the other two last.
  if (!system.right && !transposed) {
    ExchangeRows(n, sides, pivots, false, b);
    SolveTriangular(lower, n, sides, lu, b);
    SolveTriangular(upper, n, sides, lu, b);
  } else if (!system.right) {
    SolveTriangular(upper, n, sides, lu, b);
    SolveTriangular(lower, n, sides, lu, b);
    ExchangeRows(n, sides, pivots, true, b);
  } else if (!transposed) {
    SolveTriangularRight(upper, n, sides, lu, b);
    SolveTriangularRight(lower, n, sides, lu, b);
    ExchangeColumns(n, sides, pivots, true, b);
  } else {
    ExchangeColumns(n, sides, pivots, false, b);
    SolveTriangularRight(lower, n, sides, lu, b);
    SolveTriangularRight(upper, n, sides, lu, b);
  }
}

template <class T>
void UnpackLu(int64_t rows, int64_t columns, const T* lu, const int32_t* pivots, T* p, T* l, T* u, int64_t* order) {
  const int64_t rank = std::min(rows, columns);
  if (p != nullptr) {
    std::iota(order, order + rows, int64_t{0});
    ExchangeRows(rank, 1, pivots, false, order);
    std::fill_n(p, rows * rows, T(0));
    for (int64_t i = 0; i < rows; ++i) p[order[i] * rows + i] = T(1);
  }
  if (l != nullptr) {
    for (int64_t i = 0; i < rows; ++i) std::copy_n(lu + i * columns, rank, l + i * rank);
    ClearAboveDiagonal(rows, rank, l);
    for (int64_t i = 0; i < rank; ++i) l[i * rank + i] = T(1);
  }
  if (u != nullptr) {
    std::copy_n(lu, rank * columns, u);
    ClearBelowDiagonal(rank, columns, u);
  }
}

#define KUIPER_INSTANTIATE(T)                                                               \
  template int64_t LuScratch<T>(int64_t, int64_t);                                          \
  template int LuFactor(int64_t, int64_t, const T*, T*, int32_t*, std::byte*);              \
  template int LuFactorTransposed(int64_t, const T*, T*, int32_t*, std::byte*);             \
  template void SolveByLu(const LuSystem&, int64_t, int64_t, const T*, const int32_t*, T*); \
  template void UnpackLu(int64_t, int64_t, const T*, const int32_t*, T*, T*, T*, int64_t*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
#undef KUIPER_INSTANTIATE

}  // namespace kuiper_infer::kernel
