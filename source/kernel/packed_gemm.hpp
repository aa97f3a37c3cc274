// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/functions.hpp"

namespace kuiper_infer::kernel {

/// Products of float matrices of which one is a constant weight that was brought into the order of the register tiles
/// once. All matrices are row-major. The packed order depends on the instruction set in use.

/// Whether these kernels are made for the instruction set in use; otherwise BLAS is the better choice.
bool HasPackedGemm();

/// What happens to a product while it is in the cache.
struct GemmEpilogue {
  const float* bias = nullptr;  ///< one for each output of the weight: row (left) or column (right); null: none
  Activation activation;
};

/// Floats that a left factor of rows x depth takes when packed.
int64_t PackedLeftSize(int64_t rows, int64_t depth);
void PackLeft(int64_t rows, int64_t depth, const float* a, int64_t lda, float* packed);

/// c (rows x columns) = packed a (rows x depth) times b (depth x columns). Spread over threads by rows.
void MultiplyPackedLeft(int64_t rows, int64_t columns, int64_t depth, const float* packed, const float* b, int64_t ldb,
                        const GemmEpilogue& epilogue, float* c, int64_t ldc);

/// Floats that a right factor takes, which is given as its transpose (columns x depth), as linear layers hold it.
int64_t PackedRightSize(int64_t columns, int64_t depth);
void PackRight(int64_t columns, int64_t depth, const float* transposed, float* packed);

/// c (rows x columns) = a (rows x depth) times the packed right factor. `workspace` holds PackedLeftSize(rows, depth)
/// floats. Spread over threads by columns.
void MultiplyPackedRight(int64_t rows, int64_t columns, int64_t depth, const float* a, int64_t lda, const float* packed,
                         const GemmEpilogue& epilogue, float* c, int64_t ldc, float* workspace);

}  // namespace kuiper_infer::kernel
