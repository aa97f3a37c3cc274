// SPDX-License-Identifier: MIT
#include "kernel/sampling/resize_axis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/sampling/cubic.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The ratio of input elements to output elements.
template <class T>
T CoordinateRatio(int64_t extent_in, int64_t extent_out, std::optional<double> scale, bool align_corners) {
  if (align_corners) {
    return extent_out > 1 ? static_cast<T>(extent_in - 1) / static_cast<T>(extent_out - 1) : T(0);
  }
  if (scale && *scale > 0) return static_cast<T>(1.0 / *scale);
  return static_cast<T>(extent_in) / static_cast<T>(extent_out);
}

template <class T>
void FillNearest(ResizeAxis<T>& axis, float ratio, float shift) {
  for (int64_t o = 0; o < axis.extent_out; ++o) {
    const float source = (static_cast<float>(o) + shift) * ratio;
    axis.index[o] = std::min(static_cast<int64_t>(std::floor(source)), axis.extent_in - 1);
    axis.weight[o] = T(1);
  }
}

/// The sampled point of output o: the element below it, and its distance from that element.
template <class T>
struct SamplePoint {
  int64_t below;
  T fraction;
};

template <class T>
SamplePoint<T> PointOf(const ResizeAxis<T>& axis, int64_t o, T ratio, bool align_corners, bool clip) {
  const auto position = static_cast<T>(o);
  T source = align_corners ? ratio * position : ratio * (position + T(0.5)) - T(0.5);
  if (clip) source = std::max(source, T(0));
  const auto below = std::min(static_cast<int64_t>(std::floor(source)), axis.extent_in - 1);
  return {below, std::clamp(source - static_cast<T>(below), T(0), T(1))};
}

template <class T>
void FillLinear(ResizeAxis<T>& axis, T ratio, bool align_corners) {
  for (int64_t o = 0; o < axis.extent_out; ++o) {
    // PyTorch copies an axis that keeps its extent, whatever the scale.
    const bool same = axis.extent_in == axis.extent_out;
    const SamplePoint<T> point = same ? SamplePoint<T>{o, T(0)} : PointOf(axis, o, ratio, align_corners, true);
    axis.index[2 * o] = point.below;
    axis.index[2 * o + 1] = same ? o : std::min(point.below + 1, axis.extent_in - 1);
    axis.weight[2 * o] = T(1) - point.fraction;
    axis.weight[2 * o + 1] = point.fraction;
  }
}

template <class T>
void FillCubic(ResizeAxis<T>& axis, T ratio, bool align_corners) {
  for (int64_t o = 0; o < axis.extent_out; ++o) {
    const SamplePoint<T> point = PointOf(axis, o, ratio, align_corners, false);
    for (int64_t t = 0; t < 4; ++t) {
      axis.index[4 * o + t] = std::clamp<int64_t>(point.below + t - 1, 0, axis.extent_in - 1);
      axis.weight[4 * o + t] = CubicWeight(point.fraction - static_cast<T>(t - 1), T(-0.75));
    }
  }
}

/// Fills an axis by a triangle or Keys' kernel on the coarser of the two grids. The weights of an output add up to 1;
/// unused taps have weight 0, but don't count. PyTorch copies an axis that keeps its extent, whatever the scale.
template <class T>
void FillAntialias(ResizeAxis<T>& axis, T ratio, bool cubic) {
  if (axis.extent_in == axis.extent_out) {
    std::iota(axis.index.begin(), axis.index.end(), 0);
    std::fill(axis.weight.begin(), axis.weight.end(), T(1));
    return;
  }
  const T stretch = std::max(ratio, T(1));
  const T support = (cubic ? T(2) : T(1)) * stretch;
  axis.taps = static_cast<int64_t>(std::ceil(support)) * 2 + 1;
  axis.index.assign(static_cast<std::size_t>(axis.extent_out * axis.taps), 0);
  axis.weight.assign(axis.index.size(), T(0));
  axis.used.resize(static_cast<std::size_t>(axis.extent_out));
  for (int64_t o = 0; o < axis.extent_out; ++o) {
    const T center = ratio * (static_cast<T>(o) + T(0.5));
    const auto first = std::max<int64_t>(static_cast<int64_t>(center - support + T(0.5)), 0);
    const auto last = std::min(static_cast<int64_t>(center + support + T(0.5)), axis.extent_in);
    const auto count = std::clamp<int64_t>(last - first, 0, axis.taps);
    axis.used[o] = count;
    T total = 0;
    for (int64_t t = 0; t < count; ++t) {
      const T distance = (static_cast<T>(first + t) - center + T(0.5)) / stretch;
      const T weight = cubic ? CubicWeight(distance, T(-0.5)) : std::max(T(1) - std::abs(distance), T(0));
      axis.index[o * axis.taps + t] = first + t;
      axis.weight[o * axis.taps + t] = weight;
      total += weight;
    }
    for (int64_t t = 0; t < count; ++t) axis.weight[o * axis.taps + t] /= total;
  }
}

}  // namespace

template <class T>
ResizeAxis<T> MakeResizeAxis(ResizeMode mode, int64_t extent_in, int64_t extent_out, std::optional<double> scale,
                             bool align_corners) {
  ResizeAxis<T> axis;
  axis.extent_in = extent_in;
  axis.extent_out = extent_out;
  axis.taps = mode == ResizeMode::kLinear ? 2 : mode == ResizeMode::kCubic ? 4 : 1;
  axis.index.resize(static_cast<std::size_t>(extent_out * axis.taps));
  axis.weight.resize(axis.index.size());
  const T ratio = CoordinateRatio<T>(extent_in, extent_out, scale, align_corners);
  switch (mode) {
    case ResizeMode::kNearest:
    case ResizeMode::kNearestExact:
      // PyTorch computes these coordinates in float for every element type.
      FillNearest(axis, CoordinateRatio<float>(extent_in, extent_out, scale, false),
                  mode == ResizeMode::kNearest ? 0.0F : 0.5F);
      break;
    case ResizeMode::kLinear:
      FillLinear(axis, ratio, align_corners);
      break;
    case ResizeMode::kCubic:
      FillCubic(axis, ratio, align_corners);
      break;
    case ResizeMode::kLinearAntialias:
    case ResizeMode::kCubicAntialias:
      FillAntialias(axis, ratio, mode == ResizeMode::kCubicAntialias);
      break;
  }
  return axis;
}

template ResizeAxis<float> MakeResizeAxis(ResizeMode, int64_t, int64_t, std::optional<double>, bool);
template ResizeAxis<double> MakeResizeAxis(ResizeMode, int64_t, int64_t, std::optional<double>, bool);

}  // namespace kuiper_infer::kernel
