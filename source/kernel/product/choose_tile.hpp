// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

/// Returns Tiles::Run<rows, vectors>, the function that is compiled for a tile of `rows` rows by `vectors` vectors of
/// columns. There are 1 to Tiles::kVectors vectors and 1 to Tiles::Height(vectors) rows.
template <class Tiles, int kVectors = Tiles::kVectors, int kRows = Tiles::Height(kVectors)>
auto ChooseTile(int64_t vectors, int64_t rows) {
  if constexpr (kVectors > 1) {
    if (vectors < kVectors) return ChooseTile<Tiles, kVectors - 1>(vectors, rows);
  }
  if constexpr (kRows > 1) {
    if (rows < kRows) return ChooseTile<Tiles, kVectors, kRows - 1>(vectors, rows);
  }
  return Tiles::template Run<kRows, kVectors>;
}

/// Returns Tiles::Run<rows>, the function that is compiled for a tile of `rows` rows and any width. There are 1 to
/// Tiles::kHeight rows.
template <class Tiles, int kRows = Tiles::kHeight>
auto ChooseTileOfRows(int64_t rows) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return ChooseTileOfRows<Tiles, kRows - 1>(rows);
  }
  return Tiles::template Run<kRows>;
}

/// The height of the next tile if `rows` rows are left. The rows are cut into as few tiles of at most `most` rows as
/// possible, which have nearly equal heights.
inline int64_t EvenTileHeight(int64_t rows, int64_t most) { return DivideUp(rows, DivideUp(rows, most)); }

}  // namespace kuiper_infer::kernel
