// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
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

/// The panel that a thread reads behind the panels [first, last) of `panels`: the first one again where `more` rows
/// wait for these panels. Else it goes on with the next piece of its share, of columns behind these or of other rows.
inline int64_t PanelBehind(int64_t first, int64_t last, int64_t panels, bool more) {
  const bool cuts_rows = first == 0 && last == panels;
  return more || cuts_rows ? first : std::min(last, panels - 1);
}

}  // namespace kuiper_infer::kernel
