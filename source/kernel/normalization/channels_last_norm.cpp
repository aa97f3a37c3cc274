// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/normalization/channels_last_norm.cpp"
#include "kernel/normalization/channels_last_norm.hpp"

#include <algorithm>
#include <cmath>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "utils/rounding.hpp"
#include "utils/simd.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Adds up pixels' distances from `origin`, and their squares, channel by channel.
void SumChunk(int64_t channels, int64_t pixels, const float* input, int64_t stride, const float* origin, float* sums,
              float* squares) {
  std::fill_n(sums, channels, 0.0F);
  std::fill_n(squares, channels, 0.0F);
  for (int64_t p = 0; p < pixels; ++p) {
    const float* x = input + p * stride;
#pragma omp simd
    for (int64_t c = 0; c < channels; ++c) {
      const float distance = x[c] - origin[c];
      sums[c] += distance;
      squares[c] += distance * distance;
    }
  }
}

/// Computes the means, scales and shifts of an image's channels, one array after the other, from the sums of its chunks
/// (chunks, 2, channels).
void FoldSums(const ChannelsLastNorm& norm, int64_t chunks, const float* sums, const float* origin, const float* weight,
              const float* bias, float* rows) {
  const int64_t size = norm.channels / norm.groups;
  const auto count = static_cast<double>(norm.positions);
  const auto total = [&](int64_t row, int64_t c) {
    double sum = 0;
    for (int64_t chunk = 0; chunk < chunks; ++chunk) sum += sums[(chunk * 2 + row) * norm.channels + c];
    return sum;
  };
  for (int64_t first = 0; first < norm.channels; first += size) {
    double mean = 0;
    for (int64_t c = first; c < first + size; ++c) mean += origin[c] + total(0, c) / count;
    mean /= static_cast<double>(size);
    double variance = 0;
    for (int64_t c = first; c < first + size; ++c) {
      // The sum of squares around the group's mean follows from the sum of squares around the origin.
      const double offset = origin[c] - mean;
      variance += total(1, c) / count + 2 * offset * total(0, c) / count + offset * offset;
    }
    variance = std::max(variance / static_cast<double>(size), 0.0);
    for (int64_t c = first; c < first + size; ++c) {
      const double factor = (weight != nullptr ? weight[c] : 1.0) / std::sqrt(variance + norm.eps);
      rows[c] = static_cast<float>(mean);
      rows[norm.channels + c] = static_cast<float>(factor);
      // The rounding error of the mean is added to the shift.
      const double rest = static_cast<double>(rows[c]) - mean;
      rows[2 * norm.channels + c] = static_cast<float>((bias != nullptr ? bias[c] : 0.0) + rest * factor);
    }
  }
}

}  // namespace

void RunScaleChannelsLast(const ChannelsLastNorm& norm, const float* input, const float* rows, int64_t image_rows,
                          const Activation& activation, float* output, const PixelStrides& output_strides) {
  const int64_t channels = norm.channels;
  ParallelFor(norm.images * norm.positions, GrainFor(channels / 4), [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      const int64_t n = item / norm.positions;
      const int64_t p = item % norm.positions;
      const float* mean = rows + n * image_rows;
      const float* scale = mean + channels;
      const float* shift = scale + channels;
      const float* x = input + n * norm.input.image + p * norm.input.pixel;
      float* y = output + n * output_strides.image + p * output_strides.pixel;
#pragma omp simd
      for (int64_t c = 0; c < channels; ++c) y[c] = (x[c] - mean[c]) * scale[c] + shift[c];
      activation.Apply(y, channels);
    }
  });
}

void RunNormalizeChannelsLast(const ChannelsLastNorm& norm, const float* input, const float* weight, const float* bias,
                              const Activation& activation, float* output, const PixelStrides& output_strides,
                              float* workspace) {
  const int64_t channels = norm.channels;
  if (channels == 0 || norm.positions == 0) return;
  constexpr int64_t kChunk = ChannelsLastNorm::kChunk;
  const int64_t chunks = DivideUp(norm.positions, kChunk);
  float* scales = workspace + norm.images * chunks * 2 * channels;  // (images, 3, channels)
  const int64_t grain = GrainFor(std::min(kChunk, norm.positions) * channels / 4);
  const auto pixels_of = [&](int64_t chunk) { return std::min(kChunk, norm.positions - chunk * kChunk); };
  ParallelFor(norm.images * chunks, grain, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      const float* image = input + item / chunks * norm.input.image;
      const int64_t chunk = item % chunks;
      float* sums = workspace + item * 2 * channels;
      SumChunk(channels, pixels_of(chunk), image + chunk * kChunk * norm.input.pixel, norm.input.pixel, image, sums,
               sums + channels);
    }
  });
  for (int64_t n = 0; n < norm.images; ++n) {
    FoldSums(norm, chunks, workspace + n * chunks * 2 * channels, input + n * norm.input.image, weight, bias,
             scales + n * 3 * channels);
  }
  RunScaleChannelsLast(norm, input, scales, 3 * channels, activation, output, output_strides);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(RunNormalizeChannelsLast);
KUIPER_SIMD_TABLE(RunScaleChannelsLast);

int64_t ChannelsLastNorm::workspace() const { return images * (DivideUp(positions, kChunk) * 2 + 3) * channels; }

void NormalizeChannelsLast(const ChannelsLastNorm& norm, const float* input, const float* weight, const float* bias,
                           const Activation& activation, float* output, const PixelStrides& output_strides,
                           float* workspace) {
  KUIPER_SIMD(RunNormalizeChannelsLast)(norm, input, weight, bias, activation, output, output_strides, workspace);
}

void ScaleChannelsLast(const ChannelsLastNorm& norm, const float* input, const float* rows, int64_t image_rows,
                       const Activation& activation, float* output, const PixelStrides& output_strides) {
  KUIPER_SIMD(RunScaleChannelsLast)(norm, input, rows, image_rows, activation, output, output_strides);
}

}  // namespace kuiper_infer::kernel
#endif
