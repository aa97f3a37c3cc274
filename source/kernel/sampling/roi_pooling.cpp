// SPDX-License-Identifier: MIT
#include "kernel/sampling/roi_pooling.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/pooling/box.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The elements under one bin of an axis: `bin` of `bins` between two corners of a region. Regions cover at least one
/// element. If `inclusive`, the element at the upper corner belongs to the region. Otherwise it doesn't, and the
/// image's last element belongs to no bin (as in torchvision's ps_roi_pool).
template <class T>
IndexRange BinElements(T low, T high, int64_t bin, int64_t bins, int64_t extent, bool inclusive) {
  // Far outside of any image, but whole numbers are still exact.
  const T limit = T(1 << 22);
  const auto whole = [&](T corner) {
    return std::isnan(corner) ? T(0) : std::clamp(std::round(corner), -limit, limit);
  };
  const T start = whole(low);
  const T size = std::max(whole(high) - start + T(inclusive ? 1 : 0), T(1));
  const T bin_size = size / static_cast<T>(bins);
  const auto first = static_cast<int64_t>(std::floor(static_cast<T>(bin) * bin_size) + start);
  const auto last = static_cast<int64_t>(std::ceil(static_cast<T>(bin + 1) * bin_size) + start);
  const int64_t end = inclusive ? extent : extent - 1;
  return {std::clamp<int64_t>(first, 0, end), std::clamp<int64_t>(last, 0, end)};
}

/// Calls body(region, bin, image, rows, columns) for all bins.
template <class T, class Body>
void ForEachBin(const RoiGeometry& geometry, bool inclusive, const T* rois, const Body& body) {
  const T scale = static_cast<T>(geometry.scale);
  ParallelFor(geometry.regions * geometry.bins(), GrainFor(16 * geometry.channels_out()),
              [&](int64_t begin, int64_t end) {
                for (int64_t item = begin; item < end; ++item) {
                  const int64_t bin = item % geometry.bins();
                  const T* roi = rois + item / geometry.bins() * 5;
                  const IndexRange rows = BinElements(roi[2] * scale, roi[4] * scale, bin / geometry.bins_wide,
                                                      geometry.bins_high, geometry.height, inclusive);
                  const IndexRange columns = BinElements(roi[1] * scale, roi[3] * scale, bin % geometry.bins_wide,
                                                         geometry.bins_wide, geometry.width, inclusive);
                  body(item / geometry.bins(), bin, static_cast<int64_t>(roi[0]), rows, columns);
                }
              });
}

bool IsEmpty(const IndexRange& range) { return range.last <= range.first; }

}  // namespace

template <class T>
int64_t FindInvalidRoi(const RoiGeometry& geometry, const T* rois) {
  for (int64_t r = 0; r < geometry.regions; ++r) {
    const T index = std::trunc(rois[5 * r]);
    if (!(index >= T(0) && index < static_cast<T>(geometry.batch))) return r;
  }
  return -1;
}

template <class T>
void RoiMaxPool(const RoiGeometry& geometry, const T* input, const T* rois, T* output, int32_t* indices) {
  const Extents3 plane{1, geometry.height, geometry.width};
  ForEachBin(geometry, true, rois, [&](int64_t region, int64_t bin, int64_t n, IndexRange rows, IndexRange columns) {
    const bool empty = IsEmpty(rows) || IsEmpty(columns);
    for (int64_t c = 0; c < geometry.channels; ++c) {
      LargestElement<T> largest{T(0), -1};
      if (!empty) {
        const T* image = input + (n * geometry.channels + c) * geometry.height * geometry.width;
        largest = LargestInBox(plane, Box{{IndexRange{0, 1}, rows, columns}, {1, 1, 1}}, image);
      }
      const int64_t target = (region * geometry.channels + c) * geometry.bins() + bin;
      output[target] = largest.value;
      if (indices != nullptr) indices[target] = static_cast<int32_t>(largest.index);
    }
  });
}

template <class T>
void RoiAveragePool(const RoiGeometry& geometry, const T* input, const T* rois, T* output) {
  const Extents3 plane{1, geometry.height, geometry.width};
  ForEachBin(geometry, false, rois, [&](int64_t region, int64_t bin, int64_t n, IndexRange rows, IndexRange columns) {
    const bool empty = IsEmpty(rows) || IsEmpty(columns);
    const auto area = static_cast<double>((rows.last - rows.first) * (columns.last - columns.first));
    for (int64_t c = 0; c < geometry.channels_out(); ++c) {
      const T* image = input + (n * geometry.channels + geometry.channel_in(c, bin)) * geometry.height * geometry.width;
      const double sum = empty ? 0.0 : SumBox(plane, Box{{IndexRange{0, 1}, rows, columns}, {1, 1, 1}}, image);
      output[(region * geometry.channels_out() + c) * geometry.bins() + bin] =
          empty ? T(0) : static_cast<T>(sum / area);
    }
  });
}

#define KUIPER_INSTANTIATE(T)                                                        \
  template int64_t FindInvalidRoi<T>(const RoiGeometry&, const T*);                  \
  template void RoiMaxPool<T>(const RoiGeometry&, const T*, const T*, T*, int32_t*); \
  template void RoiAveragePool<T>(const RoiGeometry&, const T*, const T*, T*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
#undef KUIPER_INSTANTIATE

}  // namespace kuiper_infer::kernel
