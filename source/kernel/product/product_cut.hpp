// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

/// Whether threads should share a product by the columns of the packed weight, in panels, and not by rows, in tiles.
/// Cutting the columns, each thread reads all rows, and the other way round: the smaller is read twice. The parts
/// should be equal, too.
inline bool CutsColumns(int64_t rows, int64_t columns, int64_t panels, int64_t tiles, int64_t threads) {
  constexpr int64_t kManyPanels = 8;
  const bool equal = panels % threads == 0 || panels >= kManyPanels * threads || tiles < threads;
  return equal && columns > rows;
}

}  // namespace kuiper_infer::kernel
