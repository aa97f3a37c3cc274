// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_DEPTHWISE_WINDOWS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_DEPTHWISE_WINDOWS_INL_HPP_
#undef KUIPER_KERNEL_DEPTHWISE_WINDOWS_INL_HPP_
#else
#define KUIPER_KERNEL_DEPTHWISE_WINDOWS_INL_HPP_
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "kernel/float_lanes-inl.hpp"
#include "kernel/limits-inl.hpp"
#include "shape/window_range.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The number of neighbouring windows that share each load of a weight.
constexpr int kRunWindows = 4;

/// Windows of any kind beside each other that cover the same taps. Distances count numbers.
struct WindowRun {
  TapRange depth;
  TapRange height;
  TapRange width;
  FloatArray<const void*> image;  ///< from the first window's first pixel inside the image on
  int64_t depth_stride;           ///< from tap to tap
  int64_t height_stride;
  int64_t width_stride;
  int64_t window_stride;  ///< from window to window
  int64_t kernel_height;
  int64_t kernel_width;
  int64_t channels;
  const float* weight;
  const float* bias;
  FloatArray<const void*> residual;
  int64_t residual_stride;
  FloatArray<void*> output;
  int64_t output_stride;
  float least;
  float most;
};

/// Writes one vector of results of each window, from `channel` on.
template <int kCount, bool kPartial>
HWY_INLINE void WriteWindows(const WindowRun& run, int64_t channel, const FloatLanes<kPartial>& part,
                             hn::Vec<hn::ScalableTag<float>> (&sums)[kCount]) {
  const hn::ScalableTag<float> d;
  const auto least = hn::Set(d, run.least);
  const auto most = hn::Set(d, run.most);
#pragma GCC unroll 4
  for (int i = 0; i < kCount; ++i) {
    if (run.residual.data != nullptr) {
      const int64_t place = i * run.residual_stride + channel;
      sums[i] = hn::Add(sums[i], LoadFrom(part, run.residual, place));
    }
    const auto result = Limited(sums[i], least, most);
    StoreTo(part, result, run.output, i * run.output_stride + channel);
  }
}

/// Computes a vector's worth of channels of kCount windows; the rest of the channels if kPartial.
template <int kCount, bool kPartial>
HWY_INLINE void ComputeChannels(const WindowRun& run, int64_t channel) {
  using Floats = hn::ScalableTag<float>;
  using FloatVector = hn::Vec<Floats>;
  const Floats d;
  const FloatLanes<kPartial> part(run.channels - channel);
  FloatVector sums[kCount];
  const FloatVector bias = run.bias != nullptr ? part.Load(run.bias + channel) : hn::Zero(d);
#pragma GCC unroll 4
  for (int i = 0; i < kCount; ++i) sums[i] = bias;
  for (int64_t kd = run.depth.first; kd < run.depth.last; ++kd) {
    for (int64_t kh = run.height.first; kh < run.height.last; ++kh) {
      int64_t pixel = (kd - run.depth.first) * run.depth_stride + (kh - run.height.first) * run.height_stride + channel;
      const float* weight =
          run.weight + ((kd * run.kernel_height + kh) * run.kernel_width + run.width.first) * run.channels;
      for (int64_t kw = run.width.first; kw < run.width.last; ++kw) {
        const FloatVector factor = part.Load(weight + channel);
#pragma GCC unroll 4
        for (int i = 0; i < kCount; ++i) {
          const int64_t place = pixel + i * run.window_stride;
          sums[i] = hn::MulAdd(factor, LoadFrom(part, run.image, place), sums[i]);
        }
        pixel += run.width_stride;
        weight += run.channels;
      }
    }
  }
  WriteWindows(run, channel, part, sums);
}

template <int kCount>
void RunDepthwise(const WindowRun& run) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
  int64_t channel = 0;
  for (; channel + lanes <= run.channels; channel += lanes) ComputeChannels<kCount, false>(run, channel);
  if (channel < run.channels) ComputeChannels<kCount, true>(run, channel);
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
