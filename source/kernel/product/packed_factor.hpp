// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/weight_type.hpp"

namespace kuiper_infer::kernel {

/// Computed matrices as right factors of kernel::WeightProduct, packed while a run goes on: as float32 (where
/// HasWeightProduct()), or as bfloat16 pieces.

/// Bytes that depth x columns numbers take; a multiple of a cache line.
int64_t PackedFactorBytes(const WeightType& type, int64_t columns, int64_t depth);

/// Packs a matrix whose rows are `ld` apart.
void PackFactor(const WeightType& type, int64_t columns, int64_t depth, const float* rows, int64_t ld, void* packed);

/// Packs `scale` times a matrix that is given as its transpose: column j lies at `transposed` + j * ld.
void PackTransposedFactor(const WeightType& type, int64_t columns, int64_t depth, const float* transposed, int64_t ld,
                          float scale, void* packed);

}  // namespace kuiper_infer::kernel
