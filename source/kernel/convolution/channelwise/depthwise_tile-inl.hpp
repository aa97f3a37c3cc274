// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_DEPTHWISE_TILE_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_DEPTHWISE_TILE_INL_HPP_
#undef KUIPER_KERNEL_DEPTHWISE_TILE_INL_HPP_
#else
#define KUIPER_KERNEL_DEPTHWISE_TILE_INL_HPP_
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "kernel/limits-inl.hpp"
#include "kernel/partial_vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Neighbouring windows of a depthwise convolution, some channels. Distances count floats.
struct DepthwiseTile {
  int64_t rows;        ///< under the windows, inside the image
  const float* image;  ///< first pixel of the first one
  int64_t row_stride;
  int64_t pixel;
  int64_t column;   ///< under the first window's first tap, perhaps outside
  int64_t columns;  ///< of the image
  int64_t channels;
  const float* weight;  ///< of the taps on these rows: (rows, kernel), weight_stride apart
  int64_t weight_stride;
  const float* bias;      ///< or null
  const float* addend;    ///< or null
  int64_t addend_stride;  ///< from window to window
  float* output;
  int64_t output_stride;
  float least;  ///< results are limited to [least, most]
  float most;
};

/// Computes a vector's worth of channels from `channel` on. Each pixel is loaded once for all the windows that it lies
/// under.
template <int kWindows, int kKernel, int kStride, bool kInside, bool kPartial>
HWY_INLINE void RunDepthwiseChannels(const DepthwiseTile& t, int64_t channel) {
  using Floats = hn::ScalableTag<float>;
  using FloatVector = hn::Vec<Floats>;
  const Floats d;
  const PartialVector part(t.channels - channel);
  const auto load = [&](const float* from) HWY_ATTR { return kPartial ? part.Load(from) : hn::LoadU(d, from); };
  FloatVector sums[kWindows];
  const FloatVector bias = t.bias != nullptr ? load(t.bias + channel) : hn::Zero(d);
#pragma GCC unroll 8
  for (int i = 0; i < kWindows; ++i) sums[i] = bias;
  const float* weight = t.weight + channel;
  const float* first = t.image + t.column * t.pixel + channel;
  for (int64_t row = 0; row < t.rows; ++row, first += t.row_stride) {
    FloatVector factors[kKernel];
#pragma GCC unroll 8
    for (int tap = 0; tap < kKernel; ++tap, weight += t.weight_stride) factors[tap] = load(weight);
    const float* from = first;
#pragma GCC unroll 24
    for (int j = 0; j < (kWindows - 1) * kStride + kKernel; ++j, from += t.pixel) {
      if (!kInside && (t.column + j < 0 || t.column + j >= t.columns)) continue;
      const FloatVector pixel = load(from);
#pragma GCC unroll 8
      for (int tap = 0; tap < kKernel; ++tap) {
        const int window = (j - tap) / kStride;
        if (j < tap || (j - tap) % kStride != 0 || window >= kWindows) continue;
        sums[window] = hn::MulAdd(factors[tap], pixel, sums[window]);
      }
    }
  }
  const FloatVector least = hn::Set(d, t.least);
  const FloatVector most = hn::Set(d, t.most);
#pragma GCC unroll 8
  for (int i = 0; i < kWindows; ++i) {
    if (t.addend != nullptr) sums[i] = hn::Add(sums[i], load(t.addend + i * t.addend_stride + channel));
    const FloatVector y = Limited(sums[i], least, most);
    float* to = t.output + i * t.output_stride + channel;
    if (kPartial) {
      part.Store(y, to);
    } else {
      hn::StoreU(y, d, to);
    }
  }
}

template <int kWindows, int kKernel, int kStride, bool kInside>
void RunDepthwiseWindows(const DepthwiseTile& tile) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
  const DepthwiseTile t = tile;  // a copy, which no store may change
  int64_t channel = 0;
  for (; channel + lanes <= t.channels; channel += lanes) {
    RunDepthwiseChannels<kWindows, kKernel, kStride, kInside, false>(t, channel);
  }
  if (channel < t.channels) RunDepthwiseChannels<kWindows, kKernel, kStride, kInside, true>(t, channel);
}

template <int kWindows, int kKernel, int kStride>
void RunDepthwiseTile(const DepthwiseTile& t) {
  constexpr int kSpan = (kWindows - 1) * kStride + kKernel;
  const bool inside = t.column >= 0 && t.column + kSpan <= t.columns;
  inside ? RunDepthwiseWindows<kWindows, kKernel, kStride, true>(t)
         : RunDepthwiseWindows<kWindows, kKernel, kStride, false>(t);
}

using DepthwiseTileFunction = void (*)(const DepthwiseTile&);

struct DepthwiseTileKind {
  int64_t windows;  ///< that a tile computes
  int64_t kernel;
  int64_t stride;
  DepthwiseTileFunction run;
};

constexpr DepthwiseTileKind kDepthwiseTiles[] = {
    {7, 3, 1, RunDepthwiseTile<7, 3, 1>}, {4, 3, 1, RunDepthwiseTile<4, 3, 1>}, {7, 3, 2, RunDepthwiseTile<7, 3, 2>},
    {4, 3, 2, RunDepthwiseTile<4, 3, 2>}, {7, 5, 1, RunDepthwiseTile<7, 5, 1>}, {4, 5, 1, RunDepthwiseTile<4, 5, 1>},
    {7, 5, 2, RunDepthwiseTile<7, 5, 2>}, {4, 5, 2, RunDepthwiseTile<4, 5, 2>}, {7, 7, 1, RunDepthwiseTile<7, 7, 1>},
    {4, 7, 1, RunDepthwiseTile<4, 7, 1>},
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
