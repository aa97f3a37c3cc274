// SPDX-License-Identifier: MIT
#include "kernel/depthwise.hpp"

#include <algorithm>
#include <array>

#include "kernel/window_range.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Output positions by depth, height, width.
using Box = std::array<IndexRange, 3>;

IndexRange Intersect(const IndexRange& a, const IndexRange& b) {
  const int64_t first = std::max(a.first, b.first);
  return {first, std::max(first, std::min(a.last, b.last))};
}

template <class Row>
void ForEachRow(const WindowGrid& grid, const Box& box, const Row& row) {
  for (int64_t d = box[0].first; d < box[0].last; ++d) {
    for (int64_t h = box[1].first; h < box[1].last; ++h) row(d, h, (d * grid.positions[1] + h) * grid.positions[2]);
  }
}

/// Any window, tap by tap: each adds a scaled piece of an input row to the output row.
template <class T>
void ComputeBox(const WindowGrid& grid, const Box& box, const T* image, const T* weight, T bias, T* output) {
  ForEachRow(grid, box, [&](int64_t, int64_t, int64_t start) {
    std::fill(output + start + box[2].first, output + start + std::max(box[2].first, box[2].last), bias);
  });
  const auto element = [&](int axis, int64_t position, int64_t tap) {
    const Window& window = grid.window[axis];
    return position * window.stride - window.padding_begin + tap * window.dilation;
  };
  const int64_t stride = grid.window[2].stride;
  std::array<int64_t, 3> tap{};
  for (int64_t index = 0; index < grid.taps(); ++index) {
    tap[2] = index % grid.window[2].kernel;
    tap[1] = index / grid.window[2].kernel % grid.window[1].kernel;
    tap[0] = index / grid.window[2].kernel / grid.window[1].kernel;
    Box valid;
    for (int axis = 0; axis < 3; ++axis) {
      valid[axis] =
          Intersect(box[axis], ValidPositions(grid.window[axis], tap[axis], grid.image[axis], grid.positions[axis]));
    }
    const int64_t count = valid[2].last - valid[2].first;
    if (count == 0) continue;
    const T factor = weight[index];
    const int64_t w = element(2, valid[2].first, tap[2]);
    ForEachRow(grid, valid, [&](int64_t d, int64_t h, int64_t start) {
      const T* source = image + (element(0, d, tap[0]) * grid.image[1] + element(1, h, tap[1])) * grid.image[2] + w;
      T* target = output + start + valid[2].first;
      if (stride == 1) {
#pragma omp simd
        for (int64_t i = 0; i < count; ++i) target[i] += factor * source[i];
      } else {
        for (int64_t i = 0; i < count; ++i) target[i] += factor * source[i * stride];
      }
    });
  }
}

/// A K x K window (dilation 1) at `count` neighbouring positions of a row, all within the image. `source` is the first
/// element of the first window, `pitch` the distance of image rows.
template <class T, int K, int S>
void ComputeInnerRow(const T* source, int64_t pitch, const std::array<T, K * K>& weight, T bias, T* target,
                     int64_t count) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) {
    T sum = bias;
#pragma GCC unroll 5
    for (int y = 0; y < K; ++y) {
#pragma GCC unroll 5
      for (int x = 0; x < K; ++x) sum += weight[y * K + x] * source[y * pitch + i * S + x];
    }
    target[i] = sum;
  }
}

template <class T, int K, int S>
void ComputeInnerBox(const WindowGrid& grid, const Box& inner, const T* image, const T* weight, T bias, T* output) {
  std::array<T, K * K> taps;
  std::copy_n(weight, K * K, taps.begin());
  const int64_t w = inner[2].first * S - grid.window[2].padding_begin;
  ForEachRow(grid, inner, [&](int64_t, int64_t h, int64_t start) {
    const T* source = image + (h * S - grid.window[1].padding_begin) * grid.image[2] + w;
    ComputeInnerRow<T, K, S>(source, grid.image[2], taps, bias, output + start + inner[2].first,
                             inner[2].last - inner[2].first);
  });
}

/// The positions whose whole window lies in the image.
Box InnerBox(const WindowGrid& grid) {
  Box inner;
  for (int axis = 0; axis < 3; ++axis) {
    const Window& window = grid.window[axis];
    inner[axis] = Intersect(ValidPositions(window, 0, grid.image[axis], grid.positions[axis]),
                            ValidPositions(window, window.kernel - 1, grid.image[axis], grid.positions[axis]));
  }
  return inner;
}

bool IsSquare(const WindowGrid& grid, int64_t kernel, int64_t stride) {
  const auto fits = [&](const Window& window) {
    return window.kernel == kernel && window.stride == stride && window.dilation == 1;
  };
  return grid.positions[0] == 1 && grid.image[0] == 1 && grid.window[0].kernel == 1 && fits(grid.window[1]) &&
         fits(grid.window[2]);
}

template <class T>
using InnerFunction = void (*)(const WindowGrid&, const Box&, const T*, const T*, T, T*);

template <class T>
InnerFunction<T> FindInnerFunction(const WindowGrid& grid) {
  if (IsSquare(grid, 3, 1)) return ComputeInnerBox<T, 3, 1>;
  if (IsSquare(grid, 3, 2)) return ComputeInnerBox<T, 3, 2>;
  if (IsSquare(grid, 5, 1)) return ComputeInnerBox<T, 5, 1>;
  if (IsSquare(grid, 5, 2)) return ComputeInnerBox<T, 5, 2>;
  return nullptr;
}

}  // namespace

template <class T>
void DepthwisePlane(const WindowGrid& grid, const T* image, const T* weight, T bias, T* output) {
  const Box all{{{0, grid.positions[0]}, {0, grid.positions[1]}, {0, grid.positions[2]}}};
  const InnerFunction<T> compute_inner = FindInnerFunction<T>(grid);
  if (compute_inner == nullptr) {
    ComputeBox(grid, all, image, weight, bias, output);
    return;
  }
  const Box inner = InnerBox(grid);
  compute_inner(grid, inner, image, weight, bias, output);
  const Box frame[] = {{{all[0], {0, inner[1].first}, all[2]}},
                       {{all[0], {inner[1].last, all[1].last}, all[2]}},
                       {{all[0], inner[1], {0, inner[2].first}}},
                       {{all[0], inner[1], {inner[2].last, all[2].last}}}};
  for (const Box& box : frame) ComputeBox(grid, box, image, weight, bias, output);
}

template void DepthwisePlane<float>(const WindowGrid&, const float*, const float*, float, float*);
template void DepthwisePlane<double>(const WindowGrid&, const double*, const double*, double, double*);

}  // namespace kuiper_infer::kernel
