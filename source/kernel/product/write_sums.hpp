// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/tile_epilogue.hpp"

namespace kuiper_infer::kernel {

/// Writes a tile's sums, which lie in memory (rows of `stride` floats), as `result` says. Of the sums as many rows and
/// columns are read as are written.
void WriteSums(const float* sums, int64_t stride, int64_t rows, const TileEpilogue& result);

}  // namespace kuiper_infer::kernel
