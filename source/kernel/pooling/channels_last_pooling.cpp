// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/pooling/channels_last_pooling.cpp"
#include "kernel/pooling/channels_last_pooling.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/pooling/pixel_box-inl.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Goes through the positions of the output images one after the other: dividing for each would take most of the time.
class Place {
 public:
  Place(const ChannelsLastPooling& pooling, int64_t position) : p_(pooling) {
    const int64_t row = position / Extent(2);
    x = position % Extent(2);
    y = row % Extent(1);
    z = row / Extent(1) % Extent(0);
    image = row / Extent(1) / Extent(0);
  }

  void Next() {
    if (++x < Extent(2)) return;
    x = 0;
    if (++y < Extent(1)) return;
    y = 0;
    if (++z < Extent(0)) return;
    z = 0;
    ++image;
  }

  /// Where the pixel at this place begins.
  template <class T>
  T* PixelIn(T* images, const PixelStrides& strides) const {
    return images + image * strides.image + ((z * Extent(1) + y) * Extent(2) + x) * strides.pixel;
  }

  int64_t image, z, y, x;

 private:
  int64_t Extent(int axis) const { return static_cast<int64_t>(p_.axes[axis].size()); }

  const ChannelsLastPooling& p_;
};

template <class T>
PixelBox<T> BoxAt(const ChannelsLastPooling& pooling, const T* input, const PixelStrides& strides, const Place& place) {
  const auto& x = pooling.axes[2][place.x];
  const auto& y = pooling.axes[1][place.y];
  const auto& z = pooling.axes[0][place.z];
  const int64_t image = place.image;
  const auto count = [](const ChannelsLastPooling::Range& range, int64_t dilation) {
    const int64_t covered = std::max<int64_t>(0, range.elements.last - range.elements.first);
    return dilation == 1 ? covered : (covered + dilation - 1) / dilation;
  };
  const int64_t row = pooling.image[2] * strides.pixel;
  PixelBox<T> box{};
  box.image = input + image * strides.image + (z.elements.first * pooling.image[1] + y.elements.first) * row +
              x.elements.first * strides.pixel;
  box.pixel = pooling.dilation[2] * strides.pixel;
  box.row = pooling.dilation[1] * row;
  box.plane = pooling.dilation[0] * pooling.image[1] * row;
  box.width = count(x, pooling.dilation[2]);
  box.height = count(y, pooling.dilation[1]);
  box.depth = count(z, pooling.dilation[0]);
  const auto divisor = static_cast<double>(x.divisor * y.divisor * z.divisor);
  box.factor = static_cast<float>(1.0 / (pooling.fixed_divisor != 0 ? pooling.fixed_divisor : divisor));
  return box;
}

void CombineBox(const ChannelsLastPooling& pooling, const PixelBox<float>& box, int64_t channel, int64_t last,
                float* output) {
  pooling.maximum ? CombinePixels<LargestFloat>(box, channel, last, output)
                  : CombinePixels<ScaledSum>(box, channel, last, output);
}

void CombineBox(const ChannelsLastPooling& /*of maxima*/, const PixelBox<uint8_t>& box, int64_t channel, int64_t last,
                uint8_t* output) {
  CombinePixels<LargestByte>(box, channel, last, output);
}

/// Writes the sums or maxima of each band of rows into scratch (positions, bands, channels).
template <class T>
void PoolInBands(const ChannelsLastPooling& pooling, const T* input, const PixelStrides& strides, int64_t bands,
                 T* scratch) {
  const int64_t pixels = pooling.image[1] * pooling.image[2] / bands;
  ParallelFor(pooling.position_count() * bands, GrainFor(pooling.channels * pixels / 8),
              [&](int64_t first, int64_t last) {
                for (int64_t item = first; item < last; ++item) {
                  PixelBox<T> band = BoxAt(pooling, input, strides, Place(pooling, item / bands));
                  const int64_t top = item % bands * band.height / bands;
                  const int64_t bottom = (item % bands + 1) * band.height / bands;
                  band.image += top * band.row;
                  band.height = bottom - top;
                  band.factor = 1;
                  CombineBox(pooling, band, 0, pooling.channels, scratch + item * pooling.channels);
                }
              });
}

template <class T>
void CombineBands(const ChannelsLastPooling& pooling, PixelBox<T> box, int64_t bands, const T* scratch,
                  int64_t position, T* output) {
  box.image = scratch + position * bands * pooling.channels;
  box.pixel = pooling.channels;
  box.width = bands;
  box.height = 1;
  CombineBox(pooling, box, 0, pooling.channels, output);
}

template <class T>
void RunPooling(const ChannelsLastPooling& pooling, const T* input, const PixelStrides& strides, T* output,
                const PixelStrides& output_strides, T* scratch) {
  const int64_t positions = pooling.position_count();
  if (positions == 0 || pooling.channels == 0) return;
  const int64_t bands = PoolingBands(pooling);
  if (bands > 1) {
    PoolInBands(pooling, input, strides, bands, scratch);
    Place place(pooling, 0);
    for (int64_t position = 0; position < positions; ++position, place.Next()) {
      CombineBands(pooling, BoxAt(pooling, input, strides, place), bands, scratch, position,
                   place.PixelIn(output, output_strides));
    }
    return;
  }
  // A few outputs are cut by channels, so that all threads have work.
  constexpr int64_t kChunk = 64;
  const int64_t chunk = positions < kManyPoolingPositions ? kChunk : pooling.channels;
  const int64_t chunks = DivideUp(pooling.channels, chunk);
  const int64_t taps = pooling.image[0] * pooling.image[1] * pooling.image[2] * pooling.batch / positions + 1;
  ParallelFor(positions * chunks, GrainFor(chunk * taps / 8), [&](int64_t first, int64_t last) {
    Place place(pooling, first / chunks);
    int64_t part = first % chunks;
    for (int64_t item = first; item < last; ++item) {
      const int64_t channel = part * chunk;
      CombineBox(pooling, BoxAt(pooling, input, strides, place), channel, std::min(pooling.channels, channel + chunk),
                 place.PixelIn(output, output_strides));
      if (++part < chunks) continue;
      part = 0;
      place.Next();
    }
  });
}

}  // namespace

void PoolFloats(const ChannelsLastPooling& pooling, const float* input, const PixelStrides& strides, float* output,
                const PixelStrides& output_strides, float* scratch) {
  RunPooling(pooling, input, strides, output, output_strides, scratch);
}

void PoolBytes(const ChannelsLastPooling& pooling, const uint8_t* input, const PixelStrides& strides, uint8_t* output,
               const PixelStrides& output_strides, uint8_t* scratch) {
  RunPooling(pooling, input, strides, output, output_strides, scratch);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(PoolFloats);
KUIPER_SIMD_TABLE(PoolBytes);

int64_t PoolingBands(const ChannelsLastPooling& pooling) {
  constexpr int64_t kMostBands = 8;
  constexpr int64_t kRowsOfBand = 3;
  const int64_t positions = pooling.position_count();
  if (positions == 0 || positions >= kManyPoolingPositions || pooling.image[0] != 1) return 1;
  int64_t rows = pooling.image[1];
  for (const ChannelsLastPooling::Range& range : pooling.axes[1]) {
    rows = std::min(rows, (range.elements.last - range.elements.first) / pooling.dilation[1]);
  }
  return std::clamp<int64_t>(rows / kRowsOfBand, 1, kMostBands);
}

int64_t PoolingScratch(const ChannelsLastPooling& pooling) {
  const int64_t bands = PoolingBands(pooling);
  return bands > 1 ? pooling.position_count() * bands * pooling.channels : 0;
}

void PoolChannelsLast(const ChannelsLastPooling& pooling, const float* input, const PixelStrides& strides,
                      float* output, const PixelStrides& output_strides, float* scratch) {
  KUIPER_SIMD(PoolFloats)(pooling, input, strides, output, output_strides, scratch);
}

void PoolChannelsLast(const ChannelsLastPooling& pooling, const uint8_t* input, const PixelStrides& strides,
                      uint8_t* output, const PixelStrides& output_strides, uint8_t* scratch) {
  KUIPER_SIMD(PoolBytes)(pooling, input, strides, output, output_strides, scratch);
}

}  // namespace kuiper_infer::kernel
#endif
