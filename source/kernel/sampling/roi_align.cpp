// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "kernel/sampling/roi_pooling.hpp"
#include "kernel/sampling/sample_taps.hpp"
#include "shape/window_range.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The number of samples that are located before the channels are read.
constexpr int64_t kBlock = 64;

/// The samples of a bin along one axis: sample i lies at start + (i + 0.5) * size / count.
template <class T>
struct BinSamples {
  T start = 0;
  T size = 0;
  T count = 0;  ///< whole
  /// The samples that may touch the image.
  IndexRange range{0, 0};

  T At(int64_t i) const { return start + (static_cast<T>(i) + T(0.5)) * size / count; }
};

template <class T>
BinSamples<T> SampleBin(const RoiSampling& sampling, T low, T high, int64_t bin, int64_t bins, int64_t extent) {
  const T shift = sampling.aligned ? T(0.5) : T(0);
  low -= shift;
  T length = high - shift - low;
  if (!sampling.aligned) length = std::max(length, T(1));
  BinSamples<T> samples;
  samples.size = length / static_cast<T>(bins);
  samples.start = low + static_cast<T>(bin) * samples.size;
  samples.count = sampling.ratio > 0 ? static_cast<T>(sampling.ratio) : std::ceil(samples.size);
  if (!(samples.count > 0) || !std::isfinite(samples.start) || !std::isfinite(samples.count)) return samples;
  // A region may be far larger than the image: only the samples around it are visited.
  const T step = samples.size / samples.count;
  T first = 0;
  T last = samples.count;
  if (step > 0) {
    first = std::max(std::floor((T(-1) - samples.start) / step) - T(2), T(0));
    last = std::min(std::ceil((static_cast<T>(extent) - samples.start) / step) + T(2), samples.count);
  }
  if (first < last && last < T(1e15)) samples.range = {static_cast<int64_t>(first), static_cast<int64_t>(last)};
  return samples;
}

}  // namespace

template <class T>
void RoiAlign(const RoiGeometry& geometry, const RoiSampling& sampling, const T* input, const T* rois, T* output) {
  const T scale = static_cast<T>(geometry.scale);
  const int64_t plane = geometry.height * geometry.width;
  const int64_t channels = geometry.channels_out();
  ParallelFor(geometry.regions * geometry.bins(), GrainFor(32 * channels), [&](int64_t begin, int64_t end) {
    SampleTaps<T, 4> taps[kBlock];
    for (int64_t item = begin; item < end; ++item) {
      const int64_t bin = item % geometry.bins();
      const T* roi = rois + item / geometry.bins() * 5;
      const auto rows = SampleBin(sampling, roi[2] * scale, roi[4] * scale, bin / geometry.bins_wide,
                                  geometry.bins_high, geometry.height);
      const auto columns = SampleBin(sampling, roi[1] * scale, roi[3] * scale, bin % geometry.bins_wide,
                                     geometry.bins_wide, geometry.width);
      const T* image = input + static_cast<int64_t>(roi[0]) * geometry.channels * plane;
      T* result = output + item / geometry.bins() * channels * geometry.bins() + bin;
      for (int64_t c = 0; c < channels; ++c) result[c * geometry.bins()] = 0;
      const int64_t wide = columns.range.last - columns.range.first;
      const int64_t total = (rows.range.last - rows.range.first) * wide;
      for (int64_t first = 0; first < total; first += kBlock) {
        const int64_t count = std::min(kBlock, total - first);
        for (int64_t i = 0; i < count; ++i) {
          taps[i] = BorderTaps(geometry.height, geometry.width, rows.At(rows.range.first + (first + i) / wide),
                               columns.At(columns.range.first + (first + i) % wide));
        }
        for (int64_t c = 0; c < channels; ++c) {
          const T* source = image + geometry.channel_in(c, bin) * plane;
          T sum = 0;
          for (int64_t i = 0; i < count; ++i) sum += taps[i].Sum(source);
          result[c * geometry.bins()] += sum;
        }
      }
      // Empty regions give 0, position-sensitive ones 0 / 0.
      const T samples = rows.count * columns.count;
      const T divisor = geometry.position_sensitive ? samples : std::max(samples, T(1));
      for (int64_t c = 0; c < channels; ++c) result[c * geometry.bins()] /= divisor;
    }
  });
}

template void RoiAlign<float>(const RoiGeometry&, const RoiSampling&, const float*, const float*, float*);
template void RoiAlign<double>(const RoiGeometry&, const RoiSampling&, const double*, const double*, double*);

}  // namespace kuiper_infer::kernel
