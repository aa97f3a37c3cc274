// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/choose_tile.hpp"
#include "kernel/product/int8/panels.hpp"
#include "kernel/product/int8/tile.hpp"
#include "kernel/product/int8/tile_epilogue.hpp"

namespace kuiper_infer::kernel {

/// Cuts a tile of any number of rows into such as Tiles::Run<rows> computes and writes, of 1 to Tiles::kHeight rows.
template <class Tiles>
void WriteTiles(Int8Tile tile, Int8TileEpilogue result) {
  const int64_t fetched = Int8Quads(tile.depth, tile.segments) * tile.next_stride;
  for (int64_t left = tile.rows; left > 0; left -= tile.rows) {
    tile.rows = EvenTileHeight(left, Tiles::kHeight);
    ChooseTileOfRows<Tiles>(tile.rows)(tile, result);
    tile.a += tile.rows * tile.lda;
    tile.next += fetched;
    result.c_bytes += tile.rows * result.ldc;
    if (result.residual_bytes != nullptr) result.residual_bytes += tile.rows * result.residual_ld;
  }
}

}  // namespace kuiper_infer::kernel
