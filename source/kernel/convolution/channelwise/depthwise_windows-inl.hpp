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

#include "kernel/limits-inl.hpp"
#include "kernel/partial_vector-inl.hpp"
#include "shape/window_range.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The number of neighbouring windows that share each load of a weight.
constexpr int kRunWindows = 4;

/// Windows of any kind beside each other that cover the same taps. Distances count floats.
struct WindowRun {
  TapRange depth;
  TapRange height;
  TapRange width;
  const float* image;    ///< the first window's first pixel inside the image
  int64_t depth_stride;  ///< from tap to tap
  int64_t height_stride;
  int64_t width_stride;
  int64_t window_stride;  ///< from window to window
  int64_t kernel_height;
  int64_t kernel_width;
  int64_t channels;
  const float* weight;
  const float* bias;
  const float* residual;
  int64_t residual_stride;
  float* output;
  int64_t output_stride;
  float least;
  float most;
};

/// Computes a vector's worth of channels of kCount windows; the rest of the channels if kPartial.
template <int kCount, bool kPartial>
HWY_INLINE void ComputeChannels(const WindowRun& run, int64_t channel) {
  using Floats = hn::ScalableTag<float>;
  using FloatVector = hn::Vec<Floats>;
  const Floats d;
  const PartialVector part(run.channels - channel);
  const auto load = [&](const float* from)
                        HWY_ATTR { return kPartial ? part.Load(from + channel) : hn::LoadU(d, from + channel); };
  FloatVector sums[kCount];
  const FloatVector bias = run.bias != nullptr ? load(run.bias) : hn::Zero(d);
#pragma GCC unroll 4
  for (int i = 0; i < kCount; ++i) sums[i] = bias;
  for (int64_t kd = run.depth.first; kd < run.depth.last; ++kd) {
    for (int64_t kh = run.height.first; kh < run.height.last; ++kh) {
      const float* pixel =
          run.image + (kd - run.depth.first) * run.depth_stride + (kh - run.height.first) * run.height_stride;
      const float* weight =
          run.weight + ((kd * run.kernel_height + kh) * run.kernel_width + run.width.first) * run.channels;
      for (int64_t kw = run.width.first; kw < run.width.last; ++kw) {
        const FloatVector factor = load(weight);
#pragma GCC unroll 4
        for (int i = 0; i < kCount; ++i) sums[i] = hn::MulAdd(factor, load(pixel + i * run.window_stride), sums[i]);
        pixel += run.width_stride;
        weight += run.channels;
      }
    }
  }
  const FloatVector least = hn::Set(d, run.least);
  const FloatVector most = hn::Set(d, run.most);
#pragma GCC unroll 4
  for (int i = 0; i < kCount; ++i) {
    if (run.residual != nullptr) sums[i] = hn::Add(sums[i], load(run.residual + i * run.residual_stride));
    const FloatVector y = Limited(sums[i], least, most);
    float* to = run.output + i * run.output_stride + channel;
    if (kPartial) {
      part.Store(y, to);
    } else {
      hn::StoreU(y, d, to);
    }
  }
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
