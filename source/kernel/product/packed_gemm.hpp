// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/elementwise/activation.hpp"

namespace kuiper_infer::kernel {

/// Products of float matrices of which the left one is a constant weight that was brought into the order of the
/// register tiles once; product.hpp has the products whose right matrix is the weight. All matrices are
/// row-major. The packed order depends on the instruction set in use; HasProductKernels() says whether these kernels
/// are made for it.

/// What happens to a product while it is in the cache.
struct GemmEpilogue {
  const float* bias = nullptr;  ///< one for each row, or null
  Activation activation;
};

/// Floats that a left factor of rows x depth takes when packed.
int64_t PackedLeftSize(int64_t rows, int64_t depth);
void PackLeft(int64_t rows, int64_t depth, const float* a, int64_t lda, float* packed);

/// c (rows x columns) = packed a (rows x depth) times b (depth x columns). Spread over threads by rows.
void MultiplyPackedLeft(int64_t rows, int64_t columns, int64_t depth, const float* packed, const float* b, int64_t ldb,
                        const GemmEpilogue& epilogue, float* c, int64_t ldc);

}  // namespace kuiper_infer::kernel
