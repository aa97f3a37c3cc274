// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/product_kernel.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// Products of float32 matrices that are both computed while running: out[i] = a[i] @ b[i] for all indices i of the
/// leading axes. The arrays are as BatchedMatmul takes them (matmul.hpp). Each b[i] is packed first, for a float32 or
/// split bfloat16 kernel.

/// Bytes that a computed right factor takes when packed; a multiple of a cache line.
int64_t PackedFactorBytes(const ProductKernel& kernel, int64_t columns, int64_t depth);

/// Whether the layout of the matrices allows it (the rows of `a` have no gaps), and they are so large that it should be
/// faster than BLAS.
bool SuitsPackedMatmul(const ProductKernel& kernel, const TensorSpec& a, const TensorSpec& b);

/// Bytes of scratch memory for runs of `threads` threads; leading axes are those of `a`.
int64_t PackedMatmulWorkspace(const ProductKernel& kernel, const TensorSpec& a, const TensorSpec& b, int threads);

/// `workspace` is 64-byte aligned, for that many threads. Allocates nothing.
void PackedMatmul(const ProductKernel& kernel, const ConstArrayView& a, const ConstArrayView& b, const ArrayView& out,
                  int threads, void* workspace);

}  // namespace kuiper_infer::kernel
