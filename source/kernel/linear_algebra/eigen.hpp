// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

namespace kuiper_infer::kernel {

// Eigenvalues and eigenvectors of row-major matrices, for float and double. The eigenvectors are columns of length 1.
// Functions return 0, or a number above 0 if the matrix has NaN or infinite elements or LAPACK doesn't converge; the
// results are then unfinished.

/// Bytes of scratch memory that SymmetricEigen needs.
template <class T>
int64_t SymmetricEigenScratch(int64_t n, bool wants_vectors);

/// Computes the eigenvalues of a symmetric matrix, ascending, and unless `vectors` is null the eigenvectors. Only one
/// triangle of A matters: the upper one if `upper`, otherwise the lower one.
template <class T>
int SymmetricEigen(int64_t n, bool upper, const T* a, T* values, T* vectors, std::byte* scratch);

/// Bytes of scratch memory that Eigen needs.
template <class T>
int64_t EigenScratch(int64_t n, bool wants_vectors);

/// Computes the eigenvalues of any square matrix in LAPACK's order and unless `vectors` is null the eigenvectors.
template <class T>
int Eigen(int64_t n, const T* a, std::complex<T>* values, std::complex<T>* vectors, std::byte* scratch);

}  // namespace kuiper_infer::kernel
