// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/sampling/channels_last_resize.cpp"
#include "kernel/sampling/channels_last_resize.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/partial_vector-inl.hpp"
#include "utils/simd.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The pixels that make up an output pixel, a few at a time.
struct PixelTaps {
  static constexpr int kMost = 64;
  int count = 0;
  const float* pixel[kMost];
  float weight[kMost];
};

/// Sets `to` to the sum of the taps if `first`, otherwise adds the sum to `to`.
void SumPixels(const PixelTaps& taps, bool first, int64_t channels, float* to) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t c = 0;
  for (; c + lanes <= channels; c += lanes) {
    auto sum = first ? hn::Zero(d) : hn::LoadU(d, to + c);
    for (int t = 0; t < taps.count; ++t) {
      sum = hn::MulAdd(hn::Set(d, taps.weight[t]), hn::LoadU(d, taps.pixel[t] + c), sum);
    }
    hn::StoreU(sum, d, to + c);
  }
  if (c == channels) return;
  const PartialVector part(channels - c);
  auto sum = first ? hn::Zero(d) : part.Load(to + c);
  for (int t = 0; t < taps.count; ++t) {
    sum = hn::MulAdd(hn::Set(d, taps.weight[t]), part.Load(taps.pixel[t] + c), sum);
  }
  part.Store(sum, to + c);
}

void SamplePixel(const std::array<ResizeAxis<float>, 3>& axes, const std::array<int64_t, 3>& at, int64_t channels,
                 const float* image, int64_t pixel, float* to) {
  const auto& [depth, height, width] = axes;
  PixelTaps taps;
  bool first = true;
  for (int64_t z = at[0] * depth.taps; z < (at[0] + 1) * depth.taps; ++z) {
    for (int64_t y = at[1] * height.taps; y < (at[1] + 1) * height.taps; ++y) {
      const float row_weight = depth.weight[z] * height.weight[y];
      const int64_t row = (depth.index[z] * height.extent_in + height.index[y]) * width.extent_in;
      for (int64_t x = at[2] * width.taps; x < (at[2] + 1) * width.taps; ++x) {
        const float weight = row_weight * width.weight[x];
        if (weight == 0) continue;
        if (taps.count == PixelTaps::kMost) {
          SumPixels(taps, first, channels, to);
          first = false;
          taps.count = 0;
        }
        taps.pixel[taps.count] = image + (row + width.index[x]) * pixel;
        taps.weight[taps.count++] = weight;
      }
    }
  }
  if (taps.count == 1 && first && taps.weight[0] == 1.0F) {
    std::copy_n(taps.pixel[0], channels, to);
  } else {
    SumPixels(taps, first, channels, to);
  }
}

}  // namespace

void RunResizeChannelsLast(const std::array<ResizeAxis<float>, 3>& axes, int64_t batch, int64_t channels,
                           const float* input, const PixelStrides& strides, float* output,
                           const PixelStrides& output_strides) {
  const auto& [depth, height, width] = axes;
  const int64_t rows = batch * depth.extent_out * height.extent_out;
  const int64_t cost = width.extent_out * channels * depth.taps * height.taps * width.taps / 4;
  ParallelFor(rows, GrainFor(cost), [&, &deep = depth, &high = height, &wide = width](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t y = row % high.extent_out;
      const int64_t z = row / high.extent_out % deep.extent_out;
      const int64_t n = row / high.extent_out / deep.extent_out;
      const float* image = input + n * strides.image;
      float* to =
          output + n * output_strides.image + (z * high.extent_out + y) * wide.extent_out * output_strides.pixel;
      for (int64_t x = 0; x < wide.extent_out; ++x) {
        SamplePixel(axes, {z, y, x}, channels, image, strides.pixel, to + x * output_strides.pixel);
      }
    }
  });
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(RunResizeChannelsLast);

void ResizeChannelsLast(const std::array<ResizeAxis<float>, 3>& axes, int64_t batch, int64_t channels,
                        const float* input, const PixelStrides& strides, float* output,
                        const PixelStrides& output_strides) {
  KUIPER_SIMD(RunResizeChannelsLast)(axes, batch, channels, input, strides, output, output_strides);
}

void ResizeChannelsLast(const std::array<ResizeAxis<float>, 3>& axes, int64_t batch, int64_t channels,
                        const uint8_t* input, const PixelStrides& strides, uint8_t* output,
                        const PixelStrides& output_strides) {
  const auto& [depth, height, width] = axes;
  const int64_t rows = batch * depth.extent_out * height.extent_out;
  ParallelFor(rows, GrainFor(width.extent_out * channels / 16),
              [&, &deep = depth, &high = height, &wide = width](int64_t begin, int64_t end) {
                for (int64_t row = begin; row < end; ++row) {
                  const int64_t y = row % high.extent_out;
                  const int64_t z = row / high.extent_out % deep.extent_out;
                  const int64_t n = row / high.extent_out / deep.extent_out;
                  const uint8_t* from =
                      input + n * strides.image +
                      (deep.index[z] * high.extent_in + high.index[y]) * wide.extent_in * strides.pixel;
                  uint8_t* to = output + n * output_strides.image +
                                (z * high.extent_out + y) * wide.extent_out * output_strides.pixel;
                  for (int64_t x = 0; x < wide.extent_out; ++x) {
                    std::copy_n(from + wide.index[x] * strides.pixel, channels, to + x * output_strides.pixel);
                  }
                }
              });
}

}  // namespace kuiper_infer::kernel
#endif
