// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

/// How a triangular system reads its matrix.
struct Triangle {
  bool upper = false;       ///< the triangle that is read; the other one may hold anything
  bool transposed = false;  ///< the system has the transposed matrix
  bool unit = false;        ///< the diagonal counts as ones and is not read
};

/// Replaces the row-major (n, sides) matrix B by the solution X of op(A) X = B. A zero on the diagonal gives
/// infinities and NaN. For float and double, like SolveTriangularRight.
template <class T>
void SolveTriangular(const Triangle& triangle, int64_t n, int64_t sides, const T* a, T* b);

/// Replaces the row-major (sides, n) matrix B by the solution X of X op(A) = B.
template <class T>
void SolveTriangularRight(const Triangle& triangle, int64_t n, int64_t sides, const T* a, T* b);

}  // namespace kuiper_infer::kernel
