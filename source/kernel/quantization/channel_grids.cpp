// SPDX-License-Identifier: MIT
#include "kernel/quantization/channel_grids.hpp"

#include <algorithm>
#include <cmath>

#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The parameters of one channel. Bounds are doubles, which represent all integers of 32 bits.
struct Channel {
  float scale;
  float inverse;
  double zero_point;
  double least;
  double most;
  bool adds_first;

  /// The q of a number before it is kept within the bounds; NaN for NaN.
  double Place(float x) const {
    if (adds_first) return std::nearbyint(x * inverse + static_cast<float>(zero_point));
    return static_cast<double>(std::nearbyint(x * inverse)) + zero_point;
  }
  double Kept(float x) const {
    const double place = Place(x);
    return place >= least ? std::min(place, most) : least;
  }
  float Number(double q) const { return static_cast<float>(q - zero_point) * scale; }
};

/// Calls function(channel, i) for all elements i.
template <class Function>
void ForEachElement(const ChannelGrids& grids, const Function& function) {
  const AxisGeometry& geometry = grids.geometry;
  const int64_t inner = geometry.inner;
  ParallelFor(geometry.outer * geometry.extent, std::max<int64_t>(1, 4096 / std::max<int64_t>(inner, 1)),
              [&](int64_t first, int64_t last) {
                for (int64_t line = first; line < last; ++line) {
                  const int64_t c = line % geometry.extent;
                  const float* fractions = grids.floating_zero_points;
                  const double whole = grids.zero_points != nullptr ? grids.zero_points[c] : 0;
                  const Channel channel{grids.scales[c],
                                        1 / grids.scales[c],
                                        fractions != nullptr ? static_cast<double>(fractions[c]) : whole,
                                        static_cast<double>(grids.least),
                                        static_cast<double>(grids.most),
                                        fractions != nullptr};
                  for (int64_t i = line * inner; i < (line + 1) * inner; ++i) function(channel, i);
                }
              });
}

}  // namespace

template <class T>
void QuantizeChannels(const ChannelGrids& grids, const float* input, T* output) {
  ForEachElement(grids, [=](const Channel& channel, int64_t i) { output[i] = static_cast<T>(channel.Kept(input[i])); });
}

template <class T>
void DequantizeChannels(const ChannelGrids& grids, const T* input, float* output) {
  ForEachElement(grids,
                 [=](const Channel& channel, int64_t i) { output[i] = channel.Number(static_cast<double>(input[i])); });
}

void RoundChannels(const ChannelGrids& grids, const float* input, float* output) {
  ForEachElement(grids, [=](const Channel& channel, int64_t i) { output[i] = channel.Number(channel.Kept(input[i])); });
}

void InsideChannels(const ChannelGrids& grids, const float* input, bool* output) {
  ForEachElement(grids, [=](const Channel& channel, int64_t i) {
    const double place = channel.Place(input[i]);
    output[i] = place >= channel.least && place <= channel.most;
  });
}

template void QuantizeChannels<int8_t>(const ChannelGrids&, const float*, int8_t*);
template void QuantizeChannels<uint8_t>(const ChannelGrids&, const float*, uint8_t*);
template void QuantizeChannels<int16_t>(const ChannelGrids&, const float*, int16_t*);
template void QuantizeChannels<int32_t>(const ChannelGrids&, const float*, int32_t*);
template void DequantizeChannels<int8_t>(const ChannelGrids&, const int8_t*, float*);
template void DequantizeChannels<uint8_t>(const ChannelGrids&, const uint8_t*, float*);
template void DequantizeChannels<int16_t>(const ChannelGrids&, const int16_t*, float*);
template void DequantizeChannels<int32_t>(const ChannelGrids&, const int32_t*, float*);

}  // namespace kuiper_infer::kernel
