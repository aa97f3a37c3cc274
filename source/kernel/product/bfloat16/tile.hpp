// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/product/tile_epilogue.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

constexpr int64_t kBFloat16Lanes = 16;  ///< float sums of a vector
constexpr int64_t kBFloat16Vectors = 4;
constexpr int64_t kBFloat16Columns = kBFloat16Vectors * kBFloat16Lanes;  ///< of a panel
constexpr int64_t kBlockPairs = 16;  ///< pairs of the depth that lie together in a packed weight, as AMX loads them

/// The pairs that a packed weight has along a depth: whole blocks, filled up with zeros.
constexpr int64_t BFloat16Pairs(int64_t depth) { return RoundUp(DivideUp(depth, 2), kBlockPairs); }

/// Writes the numbers of two rows as pairs: those of the even row first.
inline void InterleaveRows(const uint16_t* even, const uint16_t* odd, int64_t count, uint16_t* to) {
  for (int64_t j = 0; j < count; ++j) {
    to[2 * j] = even[j];
    to[2 * j + 1] = odd[j];
  }
}

/// The vectors that the columns of panel `panel` fill, the last one perhaps in part; the panels before it are full.
inline int64_t BFloat16PanelVectors(int64_t columns, int64_t panel) {
  return std::min(kBFloat16Vectors, DivideUp(columns - panel * kBFloat16Columns, kBFloat16Lanes));
}

/// What a micro-kernel tile reads and writes. Pointers point to the tile's first row and column.
struct BFloat16Tile {
  int64_t rows;   ///< as BFloat16Tiles::height gives them
  int64_t pairs;  ///< of the depth of a segment
  int pieces;     ///< number of bfloat16 pieces of each number (bfloat16/pieces.hpp)
  /// The first pieces of the rows, lda apart; a_stride behind them the second ones, and so on. There is memory for as
  /// many rows as BFloat16Tiles::rows_read wants, and for whole blocks of pairs where it wants those, with zeros
  /// behind the last pair.
  const uint16_t* a;
  int64_t lda;
  int64_t a_stride;
  int64_t segments;  ///< of the rows, segment_stride apart; one where numbers have several pieces
  int64_t segment_stride;
  const uint16_t* weight;  ///< blocks of pairs, each (pieces, kBlockPairs, vectors * kBFloat16Lanes, 2), without gaps
  int64_t vectors;
  const uint16_t* next;  ///< prefetched for the next tiles
  int64_t next_stride;   ///< numbers that are prefetched with each pair
  int64_t next_other;    ///< place of a second cache line among them that is prefetched
  TileEpilogue result;
};

/// The tiles of a unit, as functions.
struct BFloat16Tiles {
  int64_t rows_together;  ///< threads share the rows of a product in multiples of this number
  int64_t row_block;      ///< rows that are multiplied by one panel after the other, at most kMostRowBlock
  int64_t rows_read;      ///< tiles read a multiple of this number of rows
  int64_t depth_read;     ///< tiles read a multiple of this number of elements of each segment
  /// The number of rows of the next tile if `rows` rows are left.
  int64_t (*height)(int64_t vectors, int64_t rows);
  void (*multiply)(const BFloat16Tile& tile);
  /// Rounds `count` numbers to nearest, ties to even; NaN stays NaN, denormal numbers become zero.
  void (*round)(const float* from, int64_t count, uint16_t* to);
  void (*widen)(const uint16_t* from, int64_t count, float* to);
  /// Multiplies numbers by factors and rounds the products.
  void (*scale)(const float* from, const float* factors, int64_t count, uint16_t* to);
  void (*scale_bfloat16)(const uint16_t* from, const float* factors, int64_t count, uint16_t* to);
  /// A thread calls `begin` before its first tile of a product and `end` after its last one; null: nothing to do.
  void (*begin)() = nullptr;
  void (*end)() = nullptr;
  /// Computes a tile as wide as a panel whose results, rounded, go to `c` instead of tile.result.c, in rows ldc apart.
  /// Null: the unit gains nothing by it.
  void (*multiply_rounded)(const BFloat16Tile& tile, uint16_t* c, int64_t ldc) = nullptr;
};

constexpr int64_t kMostRowBlock = 128;
constexpr int64_t kMostBFloat16Height = 32;  ///< rows of a tile, whatever the unit

/// Tiles in plain C++ with the bits of AVX512_BF16.
const BFloat16Tiles& PortableBFloat16Tiles();
#if defined(__x86_64__)
const BFloat16Tiles& Avx512BFloat16Tiles();  ///< for CPUs with AVX512_BF16 and numbers of one piece
const BFloat16Tiles& AmxBFloat16Tiles();
#endif

}  // namespace kuiper_infer::kernel
