// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/blas.hpp"

namespace kuiper_infer::kernel {

/// The integers of LAPACK.
using LapackInt = blas::Int;

/// The routines of LAPACK that this folder uses, for float and double, under their names without the letter of the
/// element type. Matrices are column-major without gaps between columns, except where a leading dimension is an
/// argument. Arguments have to be right: LAPACK prints a line about a wrong one.
///
/// Each call opens an OpenBlasScope. Functions with `work` and `work_count` take scratch memory of `work_count`
/// elements; a count of -1 only asks for the best number, which is written to work[0] (see WorkCount). The result is
/// LAPACK's info: 0, or a positive number that says where the computation failed.
namespace lapack {

/// The number of elements that a query for scratch memory has written. A float may have been rounded down.
template <class T>
int64_t WorkCount(T answer);

/// A = L * L' (`triangle` 'L') or U' * U ('U'); the other triangle of `a` is not touched.
template <class T>
int Potrf(char triangle, int64_t n, T* a);
/// A = P * L * U. `pivots` counts rows from 1.
template <class T>
int Getrf(int64_t rows, int64_t columns, T* a, LapackInt* pivots);
/// A = Q * R; reflectors below the diagonal.
template <class T>
int Geqrf(int64_t rows, int64_t columns, T* a, T* tau, T* work, int64_t work_count);
/// The first `columns` columns of the product of `count` reflectors.
template <class T>
int Orgqr(int64_t rows, int64_t columns, int64_t count, T* a, const T* tau, T* work, int64_t work_count);
/// C = op(Q) * C (`side` 'L') or C * op(Q) ('R') with the reflectors in the columns of `a`.
template <class T>
int Ormqr(char side, char transposed, int64_t rows, int64_t columns, int64_t count, const T* a, const T* tau, T* c,
          T* work, int64_t work_count);
/// A = U * diag(s) * V': all columns of U and V (`job` 'A'), the first min(rows, columns) ('S'), or only `s` ('N').
/// `integers` has 8 * min(rows, columns) elements.
template <class T>
int Gesdd(char job, int64_t rows, int64_t columns, T* a, T* s, T* u, T* vt, T* work, int64_t work_count,
          LapackInt* integers);
/// Eigenvalues of a symmetric matrix, ascending, and its eigenvectors in `a` (`job` 'V', otherwise 'N').
template <class T>
int Syevd(char job, char triangle, int64_t n, T* a, T* values, T* work, int64_t work_count, LapackInt* integers,
          int64_t integer_count);
/// Eigenvalues of any square matrix as real and imaginary parts. The right eigenvectors are computed if they are
/// wanted.
template <class T>
int Geev(bool wants_vectors, int64_t n, T* a, T* real, T* imaginary, T* vectors, T* work, int64_t work_count);

/// Instantiates the routines for an element type, where they are defined: in lapack.cpp or, for a build without
/// OpenBLAS, in without_blas.cpp.
#define KUIPER_INSTANTIATE_LAPACK(T)                                                              \
  template int64_t WorkCount(T);                                                                  \
  template int Potrf(char, int64_t, T*);                                                          \
  template int Getrf(int64_t, int64_t, T*, LapackInt*);                                           \
  template int Geqrf(int64_t, int64_t, T*, T*, T*, int64_t);                                      \
  template int Orgqr(int64_t, int64_t, int64_t, T*, const T*, T*, int64_t);                       \
  template int Ormqr(char, char, int64_t, int64_t, int64_t, const T*, const T*, T*, T*, int64_t); \
  template int Gesdd(char, int64_t, int64_t, T*, T*, T*, T*, T*, int64_t, LapackInt*);            \
  template int Syevd(char, char, int64_t, T*, T*, T*, int64_t, LapackInt*, int64_t);              \
  template int Geev(bool, int64_t, T*, T*, T*, T*, T*, int64_t);

}  // namespace lapack
}  // namespace kuiper_infer::kernel
