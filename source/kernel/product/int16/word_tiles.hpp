// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernel/product/choose_tile.hpp"
#include "kernel/product/int16/word_product.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

/// The pair of numbers of a row as one integer.
inline int32_t PairAt(const int16_t* numbers) {
  int32_t pair = 0;
  std::memcpy(&pair, numbers, sizeof(pair));
  return pair;
}

/// A part of the next product's weight, which a tile prefetches while it multiplies: for each pair along the depth, two
/// cache lines from `at` on. `at` then advances by `step` bytes.
struct ComingWeight {
  const char* at;
  int64_t step;

  void Fetch() {
    constexpr int kSecondLevel = 2;
    __builtin_prefetch(at, 0, kSecondLevel);
    __builtin_prefetch(at + kCacheLine, 0, kSecondLevel);
    at += step;
  }
};

/// Multiplies by tiles of up to Tiles::kVectors panels: Tiles::Run<rows, panels>(product, row, column, coming).
template <class Tiles>
void MultiplyByTiles(const WordProduct& p) {
  for (int64_t column = 0, panels = 0; column < p.columns; column += panels * kWordColumns) {
    panels = std::min<int64_t>(Tiles::kVectors, (p.columns - column) / kWordColumns);
    const int64_t bytes = panels * kWordColumns * p.depth * static_cast<int64_t>(sizeof(int16_t));
    const int64_t tiles = DivideUp(p.rows, int64_t{Tiles::Height(panels)});
    ComingWeight coming{reinterpret_cast<const char*>(p.next + column * p.depth), 2 * bytes / (tiles * p.depth)};
    for (int64_t row = 0, height = 0; row < p.rows; row += height, coming.at += bytes / tiles) {
      height = EvenTileHeight(p.rows - row, Tiles::Height(panels));
      ChooseTile<Tiles>(panels, height)(p, row, column, coming);
    }
  }
}

}  // namespace kuiper_infer::kernel
