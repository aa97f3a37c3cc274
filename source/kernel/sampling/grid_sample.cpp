// SPDX-License-Identifier: MIT
#include "kernel/sampling/grid_sample.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/sampling/cubic.hpp"
#include "kernel/sampling/sample_taps.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The number of points that are located before the channels are read.
constexpr int64_t kBlock = 32;
/// The most elements that make up a sample: 4 by 4 for kBicubic.
constexpr int64_t kMostTaps = 16;

/// The position of a coordinate, counted in elements. The operations are in PyTorch's order, which is not the same for
/// two and for three dimensions.
template <class T>
T ToElements(T coordinate, int64_t extent, bool align_corners, int64_t dimensions) {
  const T size = static_cast<T>(extent);
  if (align_corners) {
    return dimensions == 2 ? (coordinate + T(1)) * ((size - T(1)) / T(2)) : (coordinate + T(1)) / T(2) * (size - T(1));
  }
  return dimensions == 2 ? (coordinate + T(1)) * (size / T(2)) - T(0.5) : ((coordinate + T(1)) * size - T(1)) / T(2);
}

/// Mirrors a position into [low, low + span], as often as needed.
template <class T>
T Reflect(T position, T low, T span) {
  if (span <= 0) return T(0);
  position = std::abs(position - low);
  const T rest = std::fmod(position, span);
  const bool mirrored = std::fmod(std::floor(position / span), T(2)) != 0;
  return (mirrored ? span - rest : rest) + low;
}

/// The position to which the border rule moves a position outside of the image. If the rule bounds positions, NaN
/// becomes the first element in two dimensions and the last one in three, as in PyTorch.
template <class T>
T Bound(const GridSampleGeometry& geometry, T position, int64_t extent) {
  if (geometry.border == GridBorder::kZeros) return position;
  const T last = static_cast<T>(extent - 1);
  if (geometry.border == GridBorder::kReflection) {
    position = geometry.align_corners ? Reflect(position, T(0), last) : Reflect(position, T(-0.5), last + T(1));
  }
  if (std::isnan(position)) return geometry.dimensions == 3 ? last : T(0);
  return position > T(0) ? std::min(position, last) : T(0);
}

/// The elements of one axis that make up a sample; index -1 lies outside of the image.
template <class T>
struct AxisTaps {
  int64_t count = 1;
  int64_t index[4] = {0, 0, 0, 0};
  T weight[4] = {T(1), T(0), T(0), T(0)};
};

template <class T>
AxisTaps<T> Locate(const GridSampleGeometry& geometry, T coordinate, int64_t extent) {
  AxisTaps<T> taps;
  const T position = ToElements(coordinate, extent, geometry.align_corners, geometry.dimensions);
  if (geometry.mode == GridMode::kNearest) {
    taps.index[0] = IndexOf(std::nearbyint(Bound(geometry, position, extent)), extent);
  } else if (geometry.mode == GridMode::kBilinear) {
    const T bounded = Bound(geometry, position, extent);
    const T below = std::floor(bounded);
    taps.count = 2;
    for (int t = 0; t < 2; ++t) taps.index[t] = IndexOf(below + static_cast<T>(t), extent);
    taps.weight[0] = below + T(1) - bounded;
    taps.weight[1] = bounded - below;
  } else {
    const T below = std::floor(position);
    taps.count = 4;
    for (int t = 0; t < 4; ++t) {
      const T shift = static_cast<T>(t - 1);
      taps.index[t] = IndexOf(Bound(geometry, below + shift, extent), extent);
      taps.weight[t] = CubicWeight(position - below - shift, T(-0.75));
    }
  }
  return taps;
}

template <class T>
void LocatePoint(const GridSampleGeometry& geometry, const T* coordinates, SampleTaps<T, kMostTaps>& taps) {
  const AxisTaps<T> x = Locate(geometry, coordinates[0], geometry.image[2]);
  const AxisTaps<T> y = Locate(geometry, coordinates[1], geometry.image[1]);
  const AxisTaps<T> z = geometry.dimensions == 3 ? Locate(geometry, coordinates[2], geometry.image[0]) : AxisTaps<T>();
  taps.count = 0;
  for (int64_t k = 0; k < z.count; ++k) {
    for (int64_t j = 0; j < y.count; ++j) {
      for (int64_t i = 0; i < x.count; ++i) {
        const T weight = z.weight[k] * y.weight[j] * x.weight[i];
        const bool outside = z.index[k] < 0 || y.index[j] < 0 || x.index[i] < 0;
        // In two dimensions PyTorch multiplies zeros outside of the image, too: a weight of NaN makes the sample NaN.
        if (outside && !(geometry.dimensions == 2 && std::isnan(weight))) continue;
        taps.Add(outside ? 0 : (z.index[k] * geometry.image[1] + y.index[j]) * geometry.image[2] + x.index[i], weight);
      }
    }
  }
}

}  // namespace

template <class T>
void GridSample(const GridSampleGeometry& geometry, const T* input, const T* grid, T* output) {
  const int64_t plane = geometry.image[0] * geometry.image[1] * geometry.image[2];
  const int64_t points = geometry.points;
  const int64_t blocks = (points + kBlock - 1) / kBlock;
  ParallelFor(geometry.batch * blocks, GrainFor(kBlock * 16 * (geometry.channels + 4)),
              [&](int64_t begin, int64_t end) {
                SampleTaps<T, kMostTaps> taps[kBlock];
                for (int64_t item = begin; item < end; ++item) {
                  const int64_t n = item / blocks;
                  const int64_t first = item % blocks * kBlock;
                  const int64_t count = std::min(kBlock, points - first);
                  const T* coordinates = grid + (n * points + first) * geometry.dimensions;
                  for (int64_t p = 0; p < count; ++p)
                    LocatePoint(geometry, coordinates + p * geometry.dimensions, taps[p]);
                  for (int64_t c = n * geometry.channels; c < (n + 1) * geometry.channels; ++c) {
                    const T* image = input + c * plane;
                    T* result = output + c * points + first;
                    for (int64_t p = 0; p < count; ++p) result[p] = taps[p].Sum(image);
                  }
                }
              });
}

template void GridSample<float>(const GridSampleGeometry&, const float*, const float*, float*);
template void GridSample<double>(const GridSampleGeometry&, const double*, const double*, double*);

}  // namespace kuiper_infer::kernel
