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

#include "kernel/convolution/channelwise/depthwise_results-inl.hpp"
#include "kernel/float_lanes-inl.hpp"
#include "kernel/limits-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Whether pixels beside the image are left out instead of read as zeros. Reading zeros is a tenth to a quarter faster
/// for 3x3 and 5x5 windows on AVX-512 (GCC 12, images of 14x14), and a twentieth slower on AVX2.
constexpr bool kSkipsOutside = HWY_TARGET > HWY_AVX3;

/// Computes kVectors vectors of channels from `channel` on; with kPartial the last vector may be partial. Each pixel is
/// loaded once for all windows that contain it. T is the type of the image's numbers.
template <class T, int kWindows, int kKernel, int kStride, bool kInside, int kVectors, bool kPartial>
HWY_INLINE void RunDepthwiseChannels(const DepthwiseTile& t, int64_t channel) {
  using Floats = hn::ScalableTag<float>;
  using FloatVector = hn::Vec<Floats>;
  const Floats d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const FloatLanes<kPartial> part(t.channels - channel);
  HWY_ALIGN static constexpr T kZeros[kVectors * hn::MaxLanes(Floats())] = {};
  FloatVector sums[kWindows][kVectors];
#pragma GCC unroll 2
  for (int v = 0; v < kVectors; ++v) {
    const FloatVector bias = t.bias != nullptr ? part.Load(t.bias + channel + v * lanes) : hn::Zero(d);
#pragma GCC unroll 16
    for (int i = 0; i < kWindows; ++i) sums[i][v] = bias;
  }
  const float* weight = t.weight + channel;
  const T* first = static_cast<const T*>(t.image) + t.column * t.pixel + channel;
  for (int64_t row = 0; row < t.rows; ++row, first += t.row_stride) {
    FloatVector factors[kKernel][kVectors];
#pragma GCC unroll 8
    for (int tap = 0; tap < kKernel; ++tap, weight += t.weight_stride) {
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) factors[tap][v] = part.Load(weight + v * lanes);
    }
    const T* from = first;
#pragma GCC unroll 32
    for (int j = 0; j < (kWindows - 1) * kStride + kKernel; ++j, from += t.pixel) {
      const bool outside = !kInside && static_cast<uint64_t>(t.column + j) >= static_cast<uint64_t>(t.columns);
      if (outside && kSkipsOutside) continue;
      const T* pixel = outside ? kZeros : from;
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) {
        FloatVector x = part.Load(pixel + v * lanes);
#if HWY_TARGET <= HWY_AVX3
        __asm__("" : "+v"(x.raw));  // GCC 12 loads it for each window otherwise: more loads than multiply-adds
#endif
#pragma GCC unroll 8
        for (int tap = 0; tap < kKernel; ++tap) {
          const int window = (j - tap) / kStride;
          if (j < tap || (j - tap) % kStride != 0 || window >= kWindows) continue;
          sums[window][v] = hn::MulAdd(factors[tap][v], x, sums[window][v]);
        }
      }
    }
  }
  if (!t.plain) {
    HWY_ALIGN float unfinished[kWindows * kVectors * hn::MaxLanes(Floats())];
#pragma GCC unroll 16
    for (int i = 0; i < kWindows; ++i) {
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) hn::Store(sums[i][v], d, unfinished + (i * kVectors + v) * lanes);
    }
    return FinishDepthwise<kPartial>(t, channel, kWindows, kVectors, unfinished);
  }
  const FloatVector least = hn::Set(d, t.least);
  const FloatVector most = hn::Set(d, t.most);
  const auto write = [&](auto* output) HWY_ATTR __attribute__((always_inline)) {
#pragma GCC unroll 16
    for (int i = 0; i < kWindows; ++i, output += t.output_stride) {
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) part.Store(Limited(sums[i][v], least, most), output + v * lanes);
    }
  };
  if constexpr (kStoresBFloat16) {
    if (t.output.is_bfloat16()) return write(static_cast<uint16_t*>(t.output.data) + channel);
  }
  write(static_cast<float*>(t.output.data) + channel);
}

template <class T, int kWindows, int kKernel, int kStride, bool kInside>
void RunDepthwiseWindows(const DepthwiseTile& tile) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
  const DepthwiseTile t = tile;  // a copy, which no store may change
  // A sum waits for its last multiply-add: AVX-512 has the registers for 14 in turn.
  constexpr int kVectors = HWY_TARGET <= HWY_AVX3 && kWindows < 14 ? 2 : 1;
  int64_t channel = 0;
  for (; channel + kVectors * lanes <= t.channels; channel += kVectors * lanes) {
    RunDepthwiseChannels<T, kWindows, kKernel, kStride, kInside, kVectors, false>(t, channel);
  }
  for (; channel < t.channels; channel += lanes) {
    RunDepthwiseChannels<T, kWindows, kKernel, kStride, kInside, 1, true>(t, channel);
  }
}

template <class T, int kWindows, int kKernel, int kStride>
void RunDepthwiseTile(const DepthwiseTile& t) {
  constexpr int kSpan = (kWindows - 1) * kStride + kKernel;
  const bool inside = t.column >= 0 && t.column + kSpan <= t.columns;
  inside ? RunDepthwiseWindows<T, kWindows, kKernel, kStride, true>(t)
         : RunDepthwiseWindows<T, kWindows, kKernel, kStride, false>(t);
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
