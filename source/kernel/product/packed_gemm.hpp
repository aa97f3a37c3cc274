// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/elementwise/activation.hpp"

namespace kuiper_infer::kernel {

/// Products of float matrices whose left one is a constant weight, packed once for the micro-kernel tiles; product.hpp
/// has the products whose right matrix is the weight. All matrices are row-major. The packed order depends on the
/// instruction set in use; HasProductKernels() says whether these kernels are made for it.

/// The epilogue of such a product, which is applied while results are in the cache.
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
