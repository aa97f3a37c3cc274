// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace kuiper_infer::kernel {

// The factors A = P L U of row-major matrices, for float and double. L (ones on its diagonal) and U share one matrix:
// L lies below the diagonal, U on and above it. Pivot i says with which row, counted from 1, row i was exchanged, one
// exchange after the other. There are min(rows, columns) pivots.

/// Bytes of scratch memory that LuFactor needs.
template <class T>
int64_t LuScratch(int64_t rows, int64_t columns);

/// Returns 0 or, if the matrix is singular, the place (from 1) of the first zero on the diagonal of U. The factors are
/// complete in any case. `a` and `lu` may be the same.
template <class T>
int LuFactor(int64_t rows, int64_t columns, const T* a, T* lu, int32_t* pivots, std::byte* scratch);

/// Computes the factors of the transposed matrix A' of a square matrix A.
template <class T>
int LuFactorTransposed(int64_t n, const T* a, T* lu, int32_t* pivots, std::byte* scratch);

/// The system to solve: A X = B, or X A = B if `right`; with A' in the place of A if `transposed`.
struct LuSystem {
  bool right = false;
  bool transposed = false;
};

/// Replaces the row-major matrix B, (n, sides) or (sides, n), by the solution X.
template <class T>
void SolveByLu(const LuSystem& system, int64_t n, int64_t sides, const T* lu, const int32_t* pivots, T* b);

/// Writes the permutation P, the unit lower triangle L and the upper triangle U: (rows, rows), (rows, k), (k, columns)
/// for k = min(rows, columns). A null pointer leaves a matrix out; `order` is scratch memory for `rows` numbers.
template <class T>
void UnpackLu(int64_t rows, int64_t columns, const T* lu, const int32_t* pivots, T* p, T* l, T* u, int64_t* order);

}  // namespace kuiper_infer::kernel
