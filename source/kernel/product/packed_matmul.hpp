// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/weight_type.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// Products of float32 matrices, all of them computed: out[i] = a[i] @ b[i] for all indices i of the leading axes,
/// arrays as BatchedMatmul takes them (matmul.hpp). Each b[i] is packed first, as float32 or as bfloat16 pieces, which
/// the a[i] are rounded to as well, and is multiplied by the kernels for constant weights.

/// Whether the matrices lie such that this can be done (the rows of `a` without gaps), and are so large that it should
/// be faster than BLAS.
bool SuitsPackedMatmul(const WeightType& factor_type, const TensorSpec& a, const TensorSpec& b);

/// Bytes of scratch memory for runs of that many threads; leading axes as in `a`.
int64_t PackedMatmulWorkspace(const WeightType& factor_type, const TensorSpec& a, const TensorSpec& b, int threads);

/// `workspace` is 64-byte aligned, for that many threads. Allocates nothing.
void PackedMatmul(const WeightType& factor_type, const ConstArrayView& a, const ConstArrayView& b, const ArrayView& out,
                  int threads, void* workspace);

}  // namespace kuiper_infer::kernel
