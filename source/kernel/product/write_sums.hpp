// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/tile_epilogue.hpp"

namespace kuiper_infer::kernel {

/// Applies the epilogue `result` to a tile's sums, which lie in memory in rows of `stride` floats, and writes the
/// results. Only sums of rows and columns that are written are read.
void WriteSums(const float* sums, int64_t stride, int64_t rows, const TileEpilogue& result);

}  // namespace kuiper_infer::kernel
