// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace kuiper_infer::kernel {

// A = Q R of row-major matrices by Householder reflectors, for float and double. Each reflector is a column below the
// diagonal and a factor tau.

/// Bytes of scratch memory that QrFactor and ReflectorProduct need for matrices of this size. If Q has more columns
/// than the matrix, `columns` is their number.
template <class T>
int64_t QrScratch(int64_t rows, int64_t columns);

/// Writes R on and above the diagonal of `qr`, the reflectors below it, and min(rows, columns) factors tau.
template <class T>
void QrFactor(int64_t rows, int64_t columns, const T* a, T* qr, T* tau, std::byte* scratch);

/// Writes the first `width` columns of the product of the `count` reflectors in the first columns of the (rows, given)
/// matrix `qr`: (rows, width), count <= width <= rows.
template <class T>
void ReflectorProduct(int64_t rows, int64_t given, int64_t count, int64_t width, const T* qr, const T* tau, T* q,
                      std::byte* scratch);

/// Which product MultiplyByReflectors makes: Q C or C Q, with Q' in the place of Q if `transposed`.
struct ReflectorSide {
  bool left = true;
  bool transposed = false;
};

/// Bytes of scratch memory that MultiplyByReflectors needs.
template <class T>
int64_t ReflectorScratch(const ReflectorSide& side, int64_t rows, int64_t columns, int64_t count);

/// Multiplies the row-major (rows, columns) matrix `c` by the square matrix Q of `count` reflectors, which are the
/// columns of `qr`: (rows, count) or, on the right, (columns, count).
template <class T>
void MultiplyByReflectors(const ReflectorSide& side, int64_t rows, int64_t columns, int64_t count, const T* qr,
                          const T* tau, const T* c, T* product, std::byte* scratch);

}  // namespace kuiper_infer::kernel
