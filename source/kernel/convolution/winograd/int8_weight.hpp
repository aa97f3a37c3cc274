// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/int16/word_product.hpp"
#include "kernel/product/product_kernel.hpp"

namespace kuiper_infer::kernel {

/// Winograd's transforms of bytes and 8-bit weights in integers. All numbers fit 16 bits, products add up modulo 2^32,
/// and results are exact: they come out multiplied by a power of two, for which 32 bits have room, and by an odd
/// number, which has an inverse modulo 2^32.
///
/// Tiles of 2 x 2 outputs take the usual points 0, 1, -1 and infinity, and twice the usual weights: results are 4 times
/// too large. Tiles of 4 x 4 outputs by the usual points 0, 1, -1, 2, -2 and infinity would come out 64 * 9 times too
/// large. A power of two comes in where points differ by an even number (of p / q and r / s that is p s - q r), and 0,
/// -1/2, 1, -1, 2 and infinity do so in three pairs only: results are 4 * 225 times too large.

/// The numbers of planes, (m + 2)^2, of transformed tiles of m x m outputs.
constexpr int64_t WordPlanes(int64_t m) { return (m + 2) * (m + 2); }

/// Transformed weights: planes (y, x) of a WordProduct's weight; behind them the sums of the columns' untransformed
/// weights, as int32. `m` is 2 or 4.
template <int m>
const PackedLayout& LayoutInt8Winograd(const ProductKernel& product);

/// Numbers of a plane.
inline int64_t WordPlane(int64_t outputs, int64_t inputs) { return WordColumns(outputs) * WordDepth(inputs); }

}  // namespace kuiper_infer::kernel
