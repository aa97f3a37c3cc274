// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

// Cholesky factors of row-major symmetric matrices, for float and double: A = L L', or U' U if `upper`.

/// Writes the factor of A. Only A's lower triangle (or the upper one) matters; the factor's other triangle is zero.
/// Returns 0, or the order of the first leading minor that is not positive; the factor is then unfinished.
template <class T>
int Cholesky(bool upper, int64_t n, const T* a, T* factor);

/// Replaces the row-major (n, sides) matrix B by the solution X of A X = B, given the factor of A.
template <class T>
void SolveByCholesky(bool upper, int64_t n, int64_t sides, const T* factor, T* b);

}  // namespace kuiper_infer::kernel
