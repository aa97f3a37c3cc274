// SPDX-License-Identifier: MIT
#pragma once

#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// Whether the matrices on the last two axes lie such that Gemm can read them: rows or columns without gaps, and no
/// overlap. Strides of axes of extent 1 don't matter.
bool IsGemmReady(const TensorSpec& spec);

/// out[i] = alpha * a[i] @ b[i] + beta * out[i] for all indices i of the leading axes. The three arrays have the same
/// rank of 2 or more and element type: a (..., m, k), b (..., k, n), out (..., m, n); a and b are IsGemmReady, their
/// leading strides may be zero (broadcast); `out` is row-major without gaps. With beta = 0 the former content of `out`
/// is not read. Throws Error(kUnsupported) for bool and 16-bit floating types. Large products use the threads one
/// after the other, small ones side by side.
void BatchedMatmul(double alpha, const ConstArrayView& a, const ConstArrayView& b, double beta, const ArrayView& out);

}  // namespace kuiper_infer::kernel
