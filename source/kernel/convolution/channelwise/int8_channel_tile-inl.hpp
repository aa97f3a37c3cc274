// SPDX-License-Identifier: MIT
// The tile of depthwise convolutions. Whoever includes this has defined KUIPER_INT8_TARGET, the instruction set that
// the functions are compiled for, and gives the number of windows that share each load of a weight and a Unit with
//   kLanes, Vector                    sums of a vector
//   LoadSums(from), StoreSums(v, to)
//   Quads, LoadQuads(from)            numbers of a vector's columns
//   Weight, LoadWeight(from)          what they are multiplied by
//   AddDot(sum, quads, weight)        the sum plus the products
#pragma once

#include <cstdint>

#include "kernel/convolution/channelwise/int8_channel_tile.hpp"
#include "kernel/product/int8/tile.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Keeps a tile's sums.
template <class Unit>
struct KeptSums {
  int32_t* sums;
  int64_t width;

  KUIPER_INT8_TARGET inline void Take(const typename Unit::Vector& vector, int64_t window, int64_t column) const {
    Unit::StoreSums(vector, sums + window * width + column);
  }
};

/// Sums a vector's columns from `column` on, of kWindows windows from `window` on, and gives them to `result`. Windows
/// whose kTaps and kStride are known load each quad once; 0 stands for any.
template <class Unit, int kWindows, int kTaps, int kStride, class Result>
KUIPER_INT8_TARGET inline void SumChannelWindows(const Int8ChannelTile& t, const Result& result, int64_t column,
                                                 int64_t window) {
  const int64_t width = t.vectors * kInt8Lanes;
  const int64_t taps = kTaps > 0 ? kTaps : t.taps;
  typename Unit::Vector sums[kWindows];
#pragma GCC unroll 8
  for (int i = 0; i < kWindows; ++i) sums[i] = Unit::LoadSums(t.starts + column);
  const int8_t* weight = t.weight + column * 4;
  for (int64_t group = 0; group < t.groups; ++group, weight += taps * width * 4) {
    const uint8_t* quads = t.quads + window * t.window_stride + group * t.group_stride + column * 4;
    if constexpr (kTaps > 0) {
      typename Unit::Weight factors[kTaps];
#pragma GCC unroll 8
      for (int tap = 0; tap < kTaps; ++tap) factors[tap] = Unit::LoadWeight(weight + tap * width * 4);
#pragma GCC unroll 24
      for (int j = 0; j < (kWindows - 1) * kStride + kTaps; ++j, quads += t.tap_stride) {
        const typename Unit::Quads quad = Unit::LoadQuads(quads);
#pragma GCC unroll 8
        for (int tap = 0; tap < kTaps; ++tap) {
          const int i = (j - tap) / kStride;
          if (j < tap || (j - tap) % kStride != 0 || i >= kWindows) continue;
          sums[i] = Unit::AddDot(sums[i], quad, factors[tap]);
        }
      }
    } else {
      for (int64_t tap = 0; tap < taps; ++tap, quads += t.tap_stride) {
        const typename Unit::Weight factors = Unit::LoadWeight(weight + tap * width * 4);
#pragma GCC unroll 8
        for (int i = 0; i < kWindows; ++i) {
          sums[i] = Unit::AddDot(sums[i], Unit::LoadQuads(quads + i * t.window_stride), factors);
        }
      }
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kWindows; ++i) result.Take(sums[i], window + i, column);
}

/// Sums all windows from `window` on.
template <class Unit, int kWindows, int kTaps, int kStride, class Result>
KUIPER_INT8_TARGET inline void SumChannelColumn(const Int8ChannelTile& t, const Result& result, int64_t column,
                                                int64_t window) {
  for (; window + kWindows <= t.windows; window += kWindows) {
    SumChannelWindows<Unit, kWindows, kTaps, kStride>(t, result, column, window);
  }
  if constexpr (kWindows > 1) SumChannelColumn<Unit, kWindows - 1, kTaps, kStride>(t, result, column, window);
}

template <class Unit, int kWindows, int kTaps, int kStride, class Result>
KUIPER_INT8_TARGET void SumAllChannels(const Int8ChannelTile& tile, const Result& given) {
  const Int8ChannelTile t = tile;  // copies, which no store may change
  const Result result = given;
  for (int64_t column = 0; column < t.vectors * kInt8Lanes; column += Unit::kLanes) {
    SumChannelColumn<Unit, kWindows, kTaps, kStride>(t, result, column, 0);
  }
}

template <class Unit, int kWindows, class Result>
KUIPER_INT8_TARGET void SumChannelsTo(const Int8ChannelTile& t, const Result& result) {
  if constexpr (kWindows > 1) {  // one window shares nothing
    const bool dense = t.window_stride == t.tap_stride;
    const bool halves = t.window_stride == 2 * t.tap_stride;
    if (t.taps == 3 && dense) return SumAllChannels<Unit, kWindows, 3, 1>(t, result);
    if (t.taps == 3 && halves) return SumAllChannels<Unit, kWindows, 3, 2>(t, result);
    if (t.taps == 5 && dense) return SumAllChannels<Unit, kWindows, 5, 1>(t, result);
    if (t.taps == 5 && halves) return SumAllChannels<Unit, kWindows, 5, 2>(t, result);
    if (t.taps == 7 && dense) return SumAllChannels<Unit, kWindows, 7, 1>(t, result);
  }
  SumAllChannels<Unit, kWindows, 0, 0>(t, result);
}

template <class Unit, int kWindows>
KUIPER_INT8_TARGET void SumChannels(const Int8ChannelTile& t) {
  SumChannelsTo<Unit, kWindows>(t, KeptSums<Unit>{t.sums, t.vectors * kInt8Lanes});
}

template <class Unit, int kWindows, class Writer>
KUIPER_INT8_TARGET void WriteChannels(const Int8ChannelTile& t, const Int8TileEpilogue& result) {
  SumChannelsTo<Unit, kWindows>(t, Writer(result));
}

}  // namespace
}  // namespace kuiper_infer::kernel
