// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/int8/tile_epilogue.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::kernel {

/// What a micro-kernel tile of an int8 depthwise convolution reads and writes. Each column of the tile is a channel and
/// multiplies bytes of its own, whereas the columns of an Int8Tile share those of a row. Sums wrap around while they
/// are added up. Strides count bytes.
struct Int8ChannelTile {
  int64_t windows;  ///< side by side
  /// The first window's first quads (four bytes from neighbouring rows), one for each of vectors * kInt8Lanes columns.
  const uint8_t* quads;
  int64_t window_stride;
  int64_t groups;  ///< of four window rows, each with `taps` quads
  int64_t group_stride;
  int64_t taps;
  int64_t tap_stride;
  const int8_t* weight;  ///< (groups, taps, vectors * kInt8Lanes, 4)
  int64_t vectors;
  const int32_t* starts;  ///< what is added to each column's sum
  int32_t* sums;          ///< (windows, vectors * kInt8Lanes)
};

/// How a unit computes the channels of a depthwise convolution.
struct Int8ChannelTiles {
  void (*sum)(const Int8ChannelTile& tile);
  /// Sums whole vectors and writes the results as bytes that are computed in units of their scale, without a residual.
  /// Null: the unit gains nothing by it.
  void (*write)(const Int8ChannelTile& tile, const Int8TileEpilogue& result) = nullptr;
  /// What the unit subtracts from each byte of the image, so that it fits a signed one (Int8Tiles::offset).
  int32_t offset = 0;
  /// The tiles for panels whose pairs are narrow (Int8PairsAreNarrow). Null: the same tiles as for other panels.
  const Int8ChannelTiles* narrow = nullptr;
};

/// The tiles of a unit. AMX has no instruction for depthwise sums, so kAmx gets the tiles of AVX512_VNNI.
const Int8ChannelTiles& Int8ChannelTilesOf(Int8Unit unit);
#if defined(__aarch64__)
const Int8ChannelTiles& DotProdInt8ChannelTiles();
#endif
#if defined(__x86_64__)
const Int8ChannelTiles& Avx2Int8ChannelTiles();
const Int8ChannelTiles& AvxVnniInt8ChannelTiles();
const Int8ChannelTiles& Avx512VnniInt8ChannelTiles();
#endif

}  // namespace kuiper_infer::kernel
