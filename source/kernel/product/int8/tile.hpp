// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::kernel {

struct Int8TileEpilogue;  // int8/tile_epilogue.hpp

constexpr int64_t kInt8Lanes = 16;  ///< sums of a vector
constexpr int64_t kInt8Vectors = 4;
constexpr int64_t kInt8Columns = kInt8Vectors * kInt8Lanes;  ///< of a panel
constexpr int64_t kMostInt8Height = 32;                      ///< rows of a tile, whatever the unit

/// What a micro-kernel tile reads and writes. Pointers point to the tile's first row and column. Sums wrap around while
/// they are added up.
struct Int8Tile {
  int64_t rows;  ///< as Int8Tiles::height gives them; any number for Int8Tiles::write_bytes
  const uint8_t* a;
  int64_t lda;
  int64_t segments;  ///< of the rows of a, segment_stride apart
  int64_t segment_stride;
  int64_t depth;         ///< of a segment: 4 or more, or 0
  const int8_t* weight;  ///< (segments, depth / 4 rounded up, vectors * kInt8Lanes, 4), without gaps
  int64_t vectors;
  const int8_t* next;     ///< prefetched for the next tiles
  int64_t next_stride;    ///< bytes that are prefetched with each group of four along the depth
  const int32_t* starts;  ///< what is added to each column's sum
  int32_t* sums;          ///< (rows, vectors * kInt8Lanes)
};

/// The tiles of a unit, as functions.
struct Int8Tiles {
  /// The number of rows of the next tile if `rows` rows are left.
  int64_t (*height)(int64_t vectors, int64_t rows);
  void (*sum)(const Int8Tile& tile);
  /// A thread calls `begin` before its first tile of a product and `end` after its last one; null: nothing to do.
  void (*begin)() = nullptr;
  void (*end)() = nullptr;
  /// Sums and applies the epilogue in registers, with the results of WriteInt8Sums. Only for bytes that are computed in
  /// units of their scale, and for a multiple of byte_columns columns. Null: the unit gains nothing by it.
  void (*write_bytes)(const Int8Tile& tile, const Int8TileEpilogue& result) = nullptr;
  int64_t byte_columns = kInt8Columns;
  /// What the unit subtracts from each byte of the rows, so that it fits a signed one. The columns' starts make up for
  /// it.
  int32_t offset = 0;
  /// The tiles for panels whose pairs are narrow (Int8PairsAreNarrow). Null: the same tiles as for other panels.
  const Int8Tiles* narrow = nullptr;
};

const Int8Tiles& Int8TilesOf(Int8Unit unit);
const Int8Tiles& PortableInt8Tiles();
#if defined(__aarch64__)
const Int8Tiles& DotProdInt8Tiles();
#endif
#if defined(__x86_64__)
const Int8Tiles& Avx2Int8Tiles();
const Int8Tiles& AvxVnniInt8Tiles();
const Int8Tiles& Avx512VnniInt8Tiles();
const Int8Tiles& AmxInt8Tiles();
#endif

}  // namespace kuiper_infer::kernel
