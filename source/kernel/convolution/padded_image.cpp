// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/convolution/padded_image.cpp"
#include "kernel/convolution/padded_image.hpp"

#include <algorithm>
#include <type_traits>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/float_lanes-inl.hpp"
#include "utils/half.hpp"
#include "utils/simd.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// A number as it is stored in the padded image: as it is, or rounded from float to bfloat16.
template <class To, class T>
To Stored(T number) {
  if constexpr (std::is_same_v<T, To>) return number;
  return static_cast<To>(BFloat16(static_cast<float>(number)).bits);
}

/// Copies the planes of a row of pixels side by side: the three or four channels of a picture.
template <int kChannels, class T, class To>
void Interleave(const T* from, int64_t plane, int64_t count, To* to) {
  using Read = hn::ScalableTag<T>;
  using Written = hn::Rebind<To, Read>;
  const Read r;
  const Written d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(r));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::Vec<Written> planes[kChannels];
#pragma GCC unroll 4
    for (int c = 0; c < kChannels; ++c) {
      const auto numbers = hn::LoadU(r, from + c * plane + i);
      if constexpr (std::is_same_v<T, To>) {
        planes[c] = numbers;
      } else {
        planes[c] = RoundToBFloat16(numbers);
      }
    }
    if constexpr (kChannels == 3) {
      hn::StoreInterleaved3(planes[0], planes[1], planes[2], d, to + i * kChannels);
    } else {
      hn::StoreInterleaved4(planes[0], planes[1], planes[2], planes[3], d, to + i * kChannels);
    }
  }
  for (; i < count; ++i) {
    for (int c = 0; c < kChannels; ++c) to[i * kChannels + c] = Stored<To>(from[c * plane + i]);
  }
}

template <class T, class To>
void CopyPixels(const T* from, const ImageStrides& strides, int64_t channels, int64_t count, To* to) {
  if (strides.channel == 1 && strides.pixel == channels) {
    if constexpr (std::is_same_v<T, To>) {
      std::copy_n(from, count * channels, to);
    } else {
      ConvertFloats(from, count * channels, to);
    }
  } else if (strides.pixel == 1 && channels == 3) {
    Interleave<3>(from, strides.channel, count, to);
  } else if (strides.pixel == 1 && channels == 4) {
    Interleave<4>(from, strides.channel, count, to);
  } else {
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t c = 0; c < channels; ++c) {
        to[i * channels + c] = Stored<To>(from[i * strides.pixel + c * strides.channel]);
      }
    }
  }
}

template <class T, class To>
void CopyImages(const PaddedImages& padded, const T* images, const ImageStrides& from, To* to, To padding) {
  const auto& [image, window, positions] = padded.grid;
  const Extents3 extents = padded.grid.padded_image();
  const int64_t channels = padded.channels;
  const int64_t left = window[2].padding_begin * channels;
  const int64_t row_size = extents[2] * channels;
  const int64_t inside = image[2] * channels;
  const auto copy_row = [&, &image = image, &window = window](int64_t row) {
    To* target = to + row * row_size;
    const int64_t y = row % extents[1] - window[1].padding_begin;
    const int64_t z = row / extents[1] % extents[0] - window[0].padding_begin;
    if (y < 0 || y >= image[1] || z < 0 || z >= image[0]) {
      std::fill_n(target, row_size, padding);
      return;
    }
    const int64_t n = row / extents[1] / extents[0];
    std::fill_n(target, left, padding);
    CopyPixels(images + n * from.image + z * from.plane + y * from.row, from, channels, image[2], target + left);
    std::fill_n(target + left + inside, row_size - left - inside, padding);
  };
  ParallelFor(padded.batch * extents[0] * extents[1], GrainFor(row_size), [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) copy_row(row);
  });
}

}  // namespace

void CopyFloats(const PaddedImages& padded, const float* images, const ImageStrides& from, float* to, float padding) {
  CopyImages(padded, images, from, to, padding);
}

void CopyHalves(const PaddedImages& padded, const uint16_t* images, const ImageStrides& from, uint16_t* to,
                uint16_t padding) {
  CopyImages(padded, images, from, to, padding);
}

void CopyRounded(const PaddedImages& padded, const float* images, const ImageStrides& from, uint16_t* to,
                 uint16_t padding) {
  CopyImages(padded, images, from, to, padding);
}

void CopyBytes(const PaddedImages& padded, const uint8_t* images, const ImageStrides& from, uint8_t* to,
               uint8_t padding) {
  CopyImages(padded, images, from, to, padding);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(CopyFloats);
KUIPER_SIMD_TABLE(CopyHalves);
KUIPER_SIMD_TABLE(CopyRounded);
KUIPER_SIMD_TABLE(CopyBytes);

ImageStrides PaddedImages::strides() const {
  const auto [depth, height, width] = grid.padded_image();
  const int64_t row = width * channels;
  return {depth * height * row, height * row, row, channels, 1};
}

int64_t PaddedImages::size() const { return batch * strides().image; }

void CopyPadded(const PaddedImages& padded, const float* images, const ImageStrides& from, float* to, float padding) {
  KUIPER_SIMD(CopyFloats)(padded, images, from, to, padding);
}

void CopyPadded(const PaddedImages& padded, const uint16_t* images, const ImageStrides& from, uint16_t* to,
                uint16_t padding) {
  KUIPER_SIMD(CopyHalves)(padded, images, from, to, padding);
}

void CopyPadded(const PaddedImages& padded, const float* images, const ImageStrides& from, uint16_t* to,
                uint16_t padding) {
  KUIPER_SIMD(CopyRounded)(padded, images, from, to, padding);
}

void CopyPadded(const PaddedImages& padded, const uint8_t* images, const ImageStrides& from, uint8_t* to,
                uint8_t padding) {
  KUIPER_SIMD(CopyBytes)(padded, images, from, to, padding);
}

}  // namespace kuiper_infer::kernel
#endif
