// SPDX-License-Identifier: MIT
#include "kernel/sampling/resize.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/sampling/cubic.hpp"
#include "utils/parallel.hpp"

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

/// The sampled point of output o: its element below and the distance from it.
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
    axis.index[2 * o + 1] = std::min(point.below + 1, axis.extent_in - 1);
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

/// Fills an axis's weights by a kernel of `radius` elements on the smaller grid, normalised; unused taps have weight 0.
template <class T>
void FillAntialias(ResizeAxis<T>& axis, T ratio, bool cubic) {
  const T stretch = std::max(ratio, T(1));
  const T support = (cubic ? T(2) : T(1)) * stretch;
  axis.taps = static_cast<int64_t>(std::ceil(support)) * 2 + 1;
  axis.index.assign(static_cast<std::size_t>(axis.extent_out * axis.taps), 0);
  axis.weight.assign(axis.index.size(), T(0));
  for (int64_t o = 0; o < axis.extent_out; ++o) {
    const T center = ratio * (static_cast<T>(o) + T(0.5));
    const auto first = std::max<int64_t>(static_cast<int64_t>(center - support + T(0.5)), 0);
    const auto last = std::min(static_cast<int64_t>(center + support + T(0.5)), axis.extent_in);
    const auto count = std::clamp<int64_t>(last - first, 0, axis.taps);
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

template <class T>
inline T SumOfTaps(int64_t taps, const T* weight, const int64_t* index, const T* input) {
  T sum = 0;
  for (int64_t t = 0; t < taps; ++t) sum += weight[t] * input[index[t]];
  return sum;
}

/// Sets output[o] to the weighted sum of the input elements that the axis names.
template <class T>
void SampleRow(const ResizeAxis<T>& axis, const T* input, T* output) {
  const int64_t* index = axis.index.data();
  const T* weight = axis.weight.data();
  switch (axis.taps) {
    case 1:
      for (int64_t o = 0; o < axis.extent_out; ++o) output[o] = input[index[o]];
      break;
    case 2:
      for (int64_t o = 0; o < axis.extent_out; ++o) {
        output[o] = weight[2 * o] * input[index[2 * o]] + weight[2 * o + 1] * input[index[2 * o + 1]];
      }
      break;
    case 4:
      for (int64_t o = 0; o < axis.extent_out; ++o) output[o] = SumOfTaps(4, weight + 4 * o, index + 4 * o, input);
      break;
    default:
      for (int64_t o = 0; o < axis.extent_out; ++o) {
        output[o] = SumOfTaps(axis.taps, weight + o * axis.taps, index + o * axis.taps, input);
      }
  }
}

/// The weighted sum of the input rows for output row (od, oh) of one image. If there is only one input row, that row
/// itself.
template <class T>
const T* BlendRows(const std::array<ResizeAxis<T>, 3>& axes, int64_t od, int64_t oh, const T* image, T* buffer) {
  const ResizeAxis<T>& deep = axes[0];
  const ResizeAxis<T>& high = axes[1];
  const int64_t width = axes[2].extent_in;
  bool first = true;
  for (int64_t td = od * deep.taps; td < (od + 1) * deep.taps; ++td) {
    for (int64_t th = oh * high.taps; th < (oh + 1) * high.taps; ++th) {
      const T* row = image + (deep.index[td] * high.extent_in + high.index[th]) * width;
      if (deep.taps * high.taps == 1) return row;
      const T weight = deep.weight[td] * high.weight[th];
      if (first) {
        for (int64_t i = 0; i < width; ++i) buffer[i] = weight * row[i];
      } else {
        for (int64_t i = 0; i < width; ++i) buffer[i] += weight * row[i];
      }
      first = false;
    }
  }
  return buffer;
}

/// The least number of output rows that is worth a thread.
template <class T>
int64_t RowGrain(const std::array<ResizeAxis<T>, 3>& axes) {
  return GrainFor(axes[2].extent_in * axes[0].taps * axes[1].taps + axes[2].extent_out * axes[2].taps * 2);
}

/// Computes the output rows [first, last) of all images; `buffer` has room for an input row.
template <class T>
void ResizeRows(const std::array<ResizeAxis<T>, 3>& axes, int64_t first, int64_t last, const T* input, T* buffer,
                T* output) {
  const int64_t depth = axes[0].extent_out;
  const int64_t height = axes[1].extent_out;
  const int64_t width = axes[2].extent_out;
  const int64_t image_size = axes[0].extent_in * axes[1].extent_in * axes[2].extent_in;
  const T* former = nullptr;
  for (int64_t row = first; row < last; ++row) {
    const T* image = input + row / height / depth * image_size;
    const T* source = BlendRows(axes, row / height % depth, row % height, image, buffer);
    T* target = output + row * width;
    if (source == former && source != buffer) {  // enlarging repeats whole rows
      std::copy_n(target - width, width, target);
    } else {
      SampleRow(axes[2], source, target);
    }
    former = source;
  }
}

}  // namespace

template <class T>
ResizeAxis<T> MakeResizeAxis(ResizeMode mode, int64_t extent_in, int64_t extent_out, std::optional<double> scale,
                             bool align_corners) {
  ResizeAxis<T> axis{extent_in,
                     extent_out,
                     mode == ResizeMode::kLinear  ? 2
                     : mode == ResizeMode::kCubic ? 4
                                                  : 1,
                     {},
                     {}};
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

template <class T>
int64_t ResizeWorkers(const std::array<ResizeAxis<T>, 3>& axes, int64_t planes, int threads) {
  const int64_t rows = planes * axes[0].extent_out * axes[1].extent_out;
  return std::clamp<int64_t>(rows / RowGrain(axes), 1, std::max(threads, 1));
}

template <class T>
void Resize(const std::array<ResizeAxis<T>, 3>& axes, int64_t planes, int64_t workers, const T* input, T* workspace,
            T* output) {
  const int64_t rows = planes * axes[0].extent_out * axes[1].extent_out;
  ParallelWorkers(rows, RowGrain(axes), workers, [&](int64_t worker, WorkerPieces pieces) {
    int64_t first = 0;
    int64_t last = 0;
    while (pieces.Take(first, last)) {
      ResizeRows(axes, first, last, input, workspace + worker * axes[2].extent_in, output);
    }
  });
}

#define KUIPER_INSTANTIATE(T)                                                                          \
  template ResizeAxis<T> MakeResizeAxis<T>(ResizeMode, int64_t, int64_t, std::optional<double>, bool); \
  template int64_t ResizeWorkers<T>(const std::array<ResizeAxis<T>, 3>&, int64_t, int);                \
  template void Resize<T>(const std::array<ResizeAxis<T>, 3>&, int64_t, int64_t, const T*, T*, T*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
#undef KUIPER_INSTANTIATE

}  // namespace kuiper_infer::kernel
