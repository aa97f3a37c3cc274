// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace kuiper_infer::kernel {

/// Bytes of scratch memory that MatrixExponential needs.
template <class T>
int64_t MatrixExponentialScratch(int64_t n);

/// The sum of A^k / k! over all k for a row-major square matrix. If A has NaN or infinite elements, all elements of the
/// result are NaN. For float and double.
template <class T>
void MatrixExponential(int64_t n, const T* a, T* exponential, std::byte* scratch);

}  // namespace kuiper_infer::kernel
