// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

/// What a tile of a depthwise convolution reads and writes: like Int8Tile, but each column multiplies numbers of its
/// own. Sums wrap around in between; distances count bytes.
struct Int8ChannelTile {
  int64_t windows;  ///< side by side
  /// The first window's first quads: four numbers for each of (vectors * kInt8Lanes) columns.
  const uint8_t* quads;
  int64_t window_stride;
  int64_t groups;  ///< of quads under a window, each of so many taps
  int64_t group_stride;
  int64_t taps;
  int64_t tap_stride;
  const int8_t* weight;  ///< (groups, taps, vectors * kInt8Lanes, 4)
  int64_t vectors;
  const int32_t* starts;  ///< what is added to each column's sum
  int32_t* sums;          ///< (windows, vectors * kInt8Lanes)
};

}  // namespace kuiper_infer::kernel
