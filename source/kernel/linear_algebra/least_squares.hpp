// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace kuiper_infer::kernel {

/// The problem min |A X - B| for a row-major matrix A of any shape and `sides` columns of B. If there are several X,
/// the one of the least norm is found.
struct LeastSquares {
  /// LAPACK's driver: by QR for matrices of full rank, by QR with exchanged columns, by singular values with divide and
  /// conquer or with QR iteration.
  enum class Driver { kGels, kGelsy, kGelsd, kGelss };
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t sides = 0;
  Driver driver = Driver::kGelsy;
  double rcond = 0;  ///< singular values (or estimates) below rcond times the largest count as 0; kGels ignores it
};

/// Where results go. `solution` is (columns, sides).
template <class T>
struct LeastSquaresResults {
  T* solution = nullptr;
  /// (sides), for drivers other than kGelsy and rows > columns: the sums of squares of A X - B; NaN if A lacks full
  /// rank. May be null.
  T* residuals = nullptr;
  int64_t* rank = nullptr;       ///< for drivers other than kGels
  T* singular_values = nullptr;  ///< min(rows, columns), descending, for kGelsd and kGelss
};

/// Bytes of scratch memory that SolveLeastSquares needs.
template <class T>
int64_t LeastSquaresScratch(const LeastSquares& problem);

/// Returns 0, or a number above 0 if A or B has NaN or infinite elements, LAPACK doesn't converge, or A lacks full rank
/// (kGels); the results are then unfinished. For float and double.
template <class T>
int SolveLeastSquares(const LeastSquares& problem, const T* a, const T* b, const LeastSquaresResults<T>& results,
                      std::byte* scratch);

}  // namespace kuiper_infer::kernel
