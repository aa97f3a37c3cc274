// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_GROUPED_WINDOWS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_GROUPED_WINDOWS_INL_HPP_
#undef KUIPER_KERNEL_GROUPED_WINDOWS_INL_HPP_
#else
#define KUIPER_KERNEL_GROUPED_WINDOWS_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>

#include <hwy/highway.h>

#include "kernel/convolution/channelwise/depthwise_windows-inl.hpp"
#include "kernel/float_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// How the channels of small groups meet: output channel j of a vector reads the input channels lane(j, i) of the
/// pixel, i < inputs, which all lie in one vector.
struct GroupLanes {
  static constexpr int kMost = static_cast<int>(hn::MaxLanes(hn::ScalableTag<float>()));
  int64_t inputs;   ///< of a group
  int64_t outputs;  ///< of a group: a divisor of a vector's lanes, at least `inputs`
  alignas(64) int32_t lanes[kMost][kMost];

  GroupLanes(int64_t group_inputs, int64_t group_outputs) : inputs(group_inputs), outputs(group_outputs) {
    for (int64_t i = 0; i < inputs; ++i) {
      for (int64_t j = 0; j < kMost; ++j) lanes[i][j] = static_cast<int32_t>(j / outputs * inputs + i);
    }
  }
};

/// Computes a vector's worth of output channels, from `channel` on, of kCount windows.
template <int kCount>
HWY_INLINE void ComputeGroupedChannels(const WindowRun& run, const GroupLanes& groups, int64_t channel) {
  using Floats = hn::ScalableTag<float>;
  using FloatVector = hn::Vec<Floats>;
  const Floats d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t channels = std::min(lanes, run.channels - channel);
  const FloatLanes<true> part(channels);
  const FloatLanes<true> read(channels / groups.outputs * groups.inputs);
  FloatVector sums[kCount];
  const FloatVector bias = run.bias != nullptr ? part.Load(run.bias + channel) : hn::Zero(d);
#pragma GCC unroll 6
  for (int i = 0; i < kCount; ++i) sums[i] = bias;
  const int64_t tap_stride = groups.inputs * run.channels;
  for (int64_t kd = run.depth.first; kd < run.depth.last; ++kd) {
    for (int64_t kh = run.height.first; kh < run.height.last; ++kh) {
      int64_t pixel = (kd - run.depth.first) * run.depth_stride + (kh - run.height.first) * run.height_stride +
                      channel / groups.outputs * groups.inputs;
      const float* weight =
          run.weight + ((kd * run.kernel_height + kh) * run.kernel_width + run.width.first) * tap_stride + channel;
      for (int64_t kw = run.width.first; kw < run.width.last; ++kw, pixel += run.width_stride) {
        FloatVector pixels[kCount];
#pragma GCC unroll 6
        for (int i = 0; i < kCount; ++i) {
          pixels[i] = LoadFrom(read, run.image, pixel + i * run.window_stride);
        }
        for (int64_t input = 0; input < groups.inputs; ++input, weight += run.channels) {
          const FloatVector factor = part.Load(weight);
          const auto places = hn::SetTableIndices(d, groups.lanes[input]);
#pragma GCC unroll 6
          for (int i = 0; i < kCount; ++i) {
            sums[i] = hn::MulAdd(factor, hn::TableLookupLanes(pixels[i], places), sums[i]);
          }
        }
      }
    }
  }
  WriteWindows(run, channel, part, sums);
}

template <int kCount>
void RunGrouped(const WindowRun& run, const GroupLanes& groups) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
  for (int64_t channel = 0; channel < run.channels; channel += lanes) {
    ComputeGroupedChannels<kCount>(run, groups, channel);
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
