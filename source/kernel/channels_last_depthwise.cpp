// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/channels_last_depthwise.cpp"
#include "kernel/channels_last_depthwise.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/partial_vector-inl.hpp"
#include "kernel/window_range.hpp"
#include "utils/parallel.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using FloatVector = hn::Vec<Floats>;

/// Neighbouring windows that share each load of a weight.
constexpr int kPositions = 4;

/// Windows beside each other that cover the same taps. Steps in floats.
struct WindowRun {
  TapRange depth;
  TapRange height;
  TapRange width;
  const float* image;  ///< the first window's first pixel inside the image
  int64_t depth_step;  ///< from tap to tap
  int64_t height_step;
  int64_t width_step;
  int64_t window_step;  ///< from window to window
  int64_t kernel_height;
  int64_t kernel_width;
  int64_t channels;
  const float* weight;
  const float* bias;
  const float* addend;
  int64_t addend_step;
  float* output;
  int64_t output_step;
  float least;
  float most;
};

/// A vector's worth of channels of kCount windows; the rest of the channels if kPartial.
template <int kCount, bool kPartial>
HWY_INLINE void ComputeChannels(const WindowRun& run, int64_t channel) {
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
          run.image + (kd - run.depth.first) * run.depth_step + (kh - run.height.first) * run.height_step;
      const float* weight =
          run.weight + ((kd * run.kernel_height + kh) * run.kernel_width + run.width.first) * run.channels;
      for (int64_t kw = run.width.first; kw < run.width.last; ++kw) {
        const FloatVector factor = load(weight);
#pragma GCC unroll 4
        for (int i = 0; i < kCount; ++i) sums[i] = hn::MulAdd(factor, load(pixel + i * run.window_step), sums[i]);
        pixel += run.width_step;
        weight += run.channels;
      }
    }
  }
  const FloatVector least = hn::Set(d, run.least);
  const FloatVector most = hn::Set(d, run.most);
#pragma GCC unroll 4
  for (int i = 0; i < kCount; ++i) {
    if (run.addend != nullptr) sums[i] = hn::Add(sums[i], load(run.addend + i * run.addend_step));
    const FloatVector y = hn::Min(most, hn::Max(least, sums[i]));
    float* to = run.output + i * run.output_step + channel;
    if (kPartial) {
      part.Store(y, to);
    } else {
      hn::StoreU(y, d, to);
    }
  }
}

template <int kCount>
void ComputeRun(const WindowRun& run) {
  const Floats d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t channel = 0;
  for (; channel + lanes <= run.channels; channel += lanes) ComputeChannels<kCount, false>(run, channel);
  if (channel < run.channels) ComputeChannels<kCount, true>(run, channel);
}

/// One row of the output.
void ComputeRow(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t row) {
  const WindowGrid& grid = convolution.geometry.grid;
  const auto& [depth, height, width] = grid.window;
  const int64_t h = row % grid.positions[1];
  const int64_t d = row / grid.positions[1] % grid.positions[0];
  const int64_t n = row / grid.positions[1] / grid.positions[0];
  const int64_t pixel = convolution.input.pixel;
  const int64_t image_row = grid.image[2] * pixel;
  const int64_t first_position = (d * grid.positions[1] + h) * grid.positions[2];
  const std::optional<ActivationBounds> bounds = arrays.activation.Bounds();
  const ActivationBounds limits = bounds.value_or(ActivationBounds{});

  WindowRun run{};
  run.depth = TapsInside(depth, d, grid.image[0]);
  run.height = TapsInside(height, h, grid.image[1]);
  run.depth_step = depth.dilation * grid.image[1] * image_row;
  run.height_step = height.dilation * image_row;
  run.width_step = width.dilation * pixel;
  run.window_step = width.stride * pixel;
  run.kernel_height = height.kernel;
  run.kernel_width = width.kernel;
  run.channels = convolution.geometry.channels_out;
  run.weight = arrays.weight;
  run.bias = arrays.bias;
  run.addend_step = arrays.addend_steps.pixel;
  run.output_step = arrays.output_steps.pixel;
  run.least = limits.least;
  run.most = limits.most;
  const float* image =
      arrays.input + n * convolution.input.image + (run.depth.start * grid.image[1] + run.height.start) * image_row;
  for (int64_t w = 0; w < grid.positions[2];) {
    run.width = TapsInside(width, w, grid.image[2]);
    // The last of the windows lies inside, so all between do.
    const bool inside = run.width.count() == width.kernel && w + kPositions <= grid.positions[2] &&
                        TapsInside(width, w + kPositions - 1, grid.image[2]).count() == width.kernel;
    run.image = image + run.width.start * pixel;
    run.output = arrays.output + n * arrays.output_steps.image + (first_position + w) * run.output_step;
    if (arrays.addend != nullptr) {
      run.addend = arrays.addend + n * arrays.addend_steps.image + (first_position + w) * run.addend_step;
    }
    const int64_t count = inside ? kPositions : 1;
    inside ? ComputeRun<kPositions>(run) : ComputeRun<1>(run);
    if (!bounds) arrays.activation.ApplyRows(run.output, count, run.channels, run.output_step);
    w += count;
  }
}

}  // namespace

void ConvolveDepthwise(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const Extents3& positions = geometry.grid.positions;
  const int64_t row_cost = geometry.channels_out * positions[2] * geometry.grid.taps() / 8;
  ParallelFor(geometry.batch * positions[0] * positions[1], GrainFor(row_cost), [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) ComputeRow(convolution, arrays, row);
  });
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(ConvolveDepthwise);

void ConvolveDepthwise(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  KUIPER_SIMD(ConvolveDepthwise)(convolution, arrays);
}

}  // namespace kuiper_infer::kernel
#endif
