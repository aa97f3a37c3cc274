// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shape/axis_geometry.hpp"

namespace kuiper_infer::kernel {

/// The quantisation parameters of each channel of a row-major array: the numbers (q - zero point) * scale for q in
/// [least, most]. `geometry.extent` counts the channels; an array with one scale has one channel.
struct ChannelGrids {
  AxisGeometry geometry;
  const float* scales = nullptr;
  const int32_t* zero_points = nullptr;  ///< null: all zero
  int32_t least = 0;
  int32_t most = 0;
  /// Instead of `zero_points`: numbers with fractions, which are added before rounding to q.
  const float* floating_zero_points = nullptr;
};

/// Writes q = nearest(x * (1 / scale)) + zero point, ties to even, kept within the bounds; NaN becomes the lower one.
/// Instantiated for int8_t, uint8_t, int16_t and int32_t, which have to hold the bounds.
template <class T>
void QuantizeChannels(const ChannelGrids& grids, const float* input, T* output);

/// Writes (q - zero point) * scale. Instantiated for the same types.
template <class T>
void DequantizeChannels(const ChannelGrids& grids, const T* input, float* output);

/// Rounds numbers to the grid of their channel: quantises and dequantises them. `output` may be `input`.
void RoundChannels(const ChannelGrids& grids, const float* input, float* output);

/// Writes whether the q of a number lies within the bounds before it is kept there.
void InsideChannels(const ChannelGrids& grids, const float* input, bool* output);

}  // namespace kuiper_infer::kernel
