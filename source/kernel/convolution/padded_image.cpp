// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/convolution/padded_image.cpp"
#include "kernel/convolution/padded_image.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "utils/parallel.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Copies the planes of a row of pixels side by side: the few channels of a picture, known to the compiler.
template <int kChannels>
void Interleave(const float* from, int64_t plane, int64_t count, float* to) {
  const float* planes[kChannels];
  for (int c = 0; c < kChannels; ++c) planes[c] = from + c * plane;
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) {
#pragma GCC unroll 4
    for (int c = 0; c < kChannels; ++c) to[i * kChannels + c] = planes[c][i];
  }
}

void CopyPixels(const float* from, const ImageStrides& strides, int64_t channels, int64_t count, float* to) {
  if (strides.channel == 1 && strides.pixel == channels) {
    std::copy_n(from, count * channels, to);
  } else if (strides.pixel == 1 && channels == 3) {
    Interleave<3>(from, strides.channel, count, to);
  } else if (strides.pixel == 1 && channels == 4) {
    Interleave<4>(from, strides.channel, count, to);
  } else {
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t c = 0; c < channels; ++c) to[i * channels + c] = from[i * strides.pixel + c * strides.channel];
    }
  }
}

}  // namespace

void RunCopyPadded(const PaddedImages& padded, const float* images, const ImageStrides& from, float* to) {
  const auto& [image, window, positions] = padded.grid;
  const Extents3 extents = padded.grid.padded_image();
  const int64_t channels = padded.channels;
  const int64_t left = window[2].padding_begin * channels;
  const int64_t row_size = extents[2] * channels;
  const int64_t inside = image[2] * channels;
  const auto copy_row = [&, &image = image, &window = window](int64_t row) {
    float* target = to + row * row_size;
    const int64_t y = row % extents[1] - window[1].padding_begin;
    const int64_t z = row / extents[1] % extents[0] - window[0].padding_begin;
    if (y < 0 || y >= image[1] || z < 0 || z >= image[0]) {
      std::fill_n(target, row_size, 0.0F);
      return;
    }
    const int64_t n = row / extents[1] / extents[0];
    std::fill_n(target, left, 0.0F);
    CopyPixels(images + n * from.image + z * from.plane + y * from.row, from, channels, image[2], target + left);
    std::fill_n(target + left + inside, row_size - left - inside, 0.0F);
  };
  ParallelFor(padded.batch * extents[0] * extents[1], GrainFor(row_size), [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) copy_row(row);
  });
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(RunCopyPadded);

ImageStrides PaddedImages::strides() const {
  const auto [depth, height, width] = grid.padded_image();
  const int64_t row = width * channels;
  return {depth * height * row, height * row, row, channels, 1};
}

int64_t PaddedImages::size() const { return batch * strides().image; }

void CopyPadded(const PaddedImages& padded, const float* images, const ImageStrides& from, float* to) {
  KUIPER_SIMD(RunCopyPadded)(padded, images, from, to);
}

}  // namespace kuiper_infer::kernel
#endif
