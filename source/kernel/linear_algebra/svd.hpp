// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace kuiper_infer::kernel {

/// What of A = U diag(s) V' is computed. There are min(rows, columns) singular values.
struct Svd {
  enum class Vectors {
    kNone,     ///< only the singular values
    kReduced,  ///< as many columns of U and V as there are singular values
    kFull,     ///< square U and V
  };
  int64_t rows = 0;
  int64_t columns = 0;
  Vectors vectors = Vectors::kNone;
};

/// Bytes of scratch memory that SingularValues needs.
template <class T>
int64_t SvdScratch(const Svd& svd);

/// Computes the singular values, descending, and U and V', both row-major; `u` and `vt` may be null for kNone.
/// Returns 0, or a number above 0 if the matrix has NaN or infinite elements or LAPACK doesn't converge; the results
/// are then unfinished. For float and double.
template <class T>
int SingularValues(const Svd& svd, const T* a, T* u, T* s, T* vt, std::byte* scratch);

}  // namespace kuiper_infer::kernel
