// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/quantization/quantize.hpp"

namespace kuiper_infer::kernel {

/// Computed matrices as factors of products in integers, rounded while a run goes on: each row of the left factor and
/// each column of the right one becomes integers from -127 to 127 times a scale of its own, which is positive. A row or
/// column that holds a NaN or an infinity becomes zeros times NaN. All instruction sets give the same bits.
///
/// With left factor x and right factor y, (x y)[i, j] is row_scales[i] * column_scales[j] * the sum of products of
/// integers: a product of Int8Kernel with kComputedRowGrid gives it but for row_scales[i].

/// The grid of the left factor's bytes, apart from its rows' scales.
constexpr QuantizationGrid kComputedRowGrid{1, 128, 0, 255};

/// Writes the left factor, rows without gaps, and its rows' scales.
void RoundComputedRows(int64_t rows, int64_t depth, const float* x, int64_t ld, uint8_t* bytes, float* scales);

/// Packs the right factor, whose rows are `ld` apart, to Int8Panels().Bytes(columns, depth).
void PackInt8Factor(int64_t columns, int64_t depth, const float* rows, int64_t ld, void* packed, float* scales);

/// Packs the right factor that is given as its transpose: column j lies at `transposed` + j * ld.
void PackInt8TransposedFactor(int64_t columns, int64_t depth, const float* transposed, int64_t ld, void* packed,
                              float* scales);

}  // namespace kuiper_infer::kernel
