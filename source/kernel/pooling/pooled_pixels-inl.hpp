// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_POOLING_POOLED_PIXELS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_POOLING_POOLED_PIXELS_INL_HPP_
#undef KUIPER_KERNEL_POOLING_POOLED_PIXELS_INL_HPP_
#else
#define KUIPER_KERNEL_POOLING_POOLED_PIXELS_INL_HPP_
#endif

#include <algorithm>

#include "kernel/pooling/channels_last_pooling.hpp"
#include "kernel/pooling/pixel_box-inl.hpp"
#include "utils/rounding.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Visits the positions of the output images in order. Finding each position by divisions would take most of the time.
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

  /// The address of the pixel at this position.
  template <class T>
  T* PixelIn(T* images, const PixelStrides& strides) const {
    return images + image * strides.image + ((z * Extent(1) + y) * Extent(2) + x) * strides.pixel;
  }

  /// The divisor of the sum at this position.
  double divisor() const {
    if (p_.fixed_divisor != 0) return p_.fixed_divisor;
    return static_cast<double>(p_.axes[2][x].divisor * p_.axes[1][y].divisor * p_.axes[0][z].divisor);
  }

  template <class T>
  PixelBox<T> BoxOf(const T* input, const PixelStrides& strides) const {
    const int64_t row = p_.image[2] * strides.pixel;
    PixelBox<T> box{};
    box.image =
        input + image * strides.image + (First(0, z) * p_.image[1] + First(1, y)) * row + First(2, x) * strides.pixel;
    box.pixel = p_.dilation[2] * strides.pixel;
    box.row = p_.dilation[1] * row;
    box.plane = p_.dilation[0] * p_.image[1] * row;
    box.width = Count(2, x);
    box.height = Count(1, y);
    box.depth = Count(0, z);
    return box;
  }

  int64_t image, z, y, x;

 private:
  int64_t Extent(int axis) const { return static_cast<int64_t>(p_.axes[axis].size()); }
  int64_t First(int axis, int64_t position) const { return p_.axes[axis][position].elements.first; }
  int64_t Count(int axis, int64_t position) const {
    const IndexRange& range = p_.axes[axis][position].elements;
    const int64_t covered = std::max<int64_t>(0, range.last - range.first);
    return p_.dilation[axis] == 1 ? covered : DivideUp(covered, p_.dilation[axis]);
  }

  const ChannelsLastPooling& p_;
};

/// Writes the totals of each band of rows into scratch memory (positions, bands, channels).
template <class Kind>
void PoolInBands(const ChannelsLastPooling& pooling, const Kind& kind, const typename Kind::Input* input,
                 const PixelStrides& strides, int64_t bands, typename Kind::Total* scratch) {
  const int64_t pixels = pooling.image[1] * pooling.image[2] / bands;
  ParallelFor(pooling.position_count() * bands, GrainFor(pooling.channels * pixels / 8),
              [&](int64_t first, int64_t last) {
                for (int64_t item = first; item < last; ++item) {
                  auto band = Place(pooling, item / bands).BoxOf(input, strides);
                  const int64_t top = item % bands * band.height / bands;
                  const int64_t bottom = (item % bands + 1) * band.height / bands;
                  band.image += top * band.row;
                  band.height = bottom - top;
                  kind.PoolBand(band, pooling.channels, scratch + item * pooling.channels);
                }
              });
}

/// Pools as `kind` says. Input, Total and Output are the types of the elements in the input, in scratch memory and in
/// the output.
template <class Kind>
void RunPooling(const ChannelsLastPooling& pooling, const Kind& kind, const void* input_data,
                const PixelStrides& strides, void* output_data, const PixelStrides& output_strides,
                void* scratch_data) {
  const auto* input = static_cast<const typename Kind::Input*>(input_data);
  auto* output = static_cast<typename Kind::Output*>(output_data);
  const int64_t positions = pooling.position_count();
  if (positions == 0 || pooling.channels == 0) return;
  const int64_t bands = PoolingBands(pooling);
  if (bands > 1) {
    auto* scratch = static_cast<typename Kind::Total*>(scratch_data);
    PoolInBands(pooling, kind, input, strides, bands, scratch);
    Place place(pooling, 0);
    for (int64_t position = 0; position < positions; ++position, place.Next()) {
      const PixelBox<typename Kind::Total> box{
          scratch + position * bands * pooling.channels, pooling.channels, 0, 0, bands, 1, 1};
      kind.CombineBands(box, place.BoxOf(input, strides).pixels(), place.divisor(), pooling.channels,
                        place.PixelIn(output, output_strides));
    }
    return;
  }
  // If there are few outputs, their channels are cut into chunks, so that all threads have work.
  constexpr int64_t kChunk = 64;
  const int64_t chunk = positions < kManyPoolingPositions ? kChunk : pooling.channels;
  const int64_t chunks = DivideUp(pooling.channels, chunk);
  const int64_t taps = pooling.image[0] * pooling.image[1] * pooling.image[2] * pooling.batch / positions + 1;
  ParallelFor(positions * chunks, GrainFor(chunk * taps / 8), [&](int64_t first, int64_t last) {
    Place place(pooling, first / chunks);
    int64_t part = first % chunks;
    for (int64_t item = first; item < last; ++item) {
      const int64_t channel = part * chunk;
      kind.PoolBox(place.BoxOf(input, strides), place.divisor(), channel, std::min(pooling.channels, channel + chunk),
                   place.PixelIn(output, output_strides));
      if (++part < chunks) continue;
      part = 0;
      place.Next();
    }
  });
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
