// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

/// The singular values of a row-major matrix, descending: min(rows, columns) numbers. Computed by LAPACK; throws
/// Error(kInput) where that does not converge (NaN or infinities in the matrix). For float and double.
template <class T>
void SingularValues(int64_t rows, int64_t columns, const T* matrix, T* values);

}  // namespace kuiper_infer::kernel
