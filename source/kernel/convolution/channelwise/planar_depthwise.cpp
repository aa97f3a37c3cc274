// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/convolution/channelwise/planar_depthwise.cpp"
#include "kernel/convolution/channelwise/planar_depthwise.hpp"

#include <algorithm>
#include <array>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

template <class T>
void PadPlane(const WindowGrid& grid, const Extents3& extents, const T* image, T* padded) {
  const auto [depth, height, width] = extents;
  const int64_t left = grid.window[2].padding_begin;
  const int64_t right = grid.window[2].padding_end;
  for (int64_t d = 0; d < depth; ++d) {
    const int64_t from_d = d - grid.window[0].padding_begin;
    for (int64_t h = 0; h < height; ++h, padded += width) {
      const int64_t from_h = h - grid.window[1].padding_begin;
      if (from_d < 0 || from_d >= grid.image[0] || from_h < 0 || from_h >= grid.image[1]) {
        std::fill_n(padded, width, T(0));
        continue;
      }
      std::fill_n(padded, left, T(0));
      std::copy_n(image + (from_d * grid.image[1] + from_h) * grid.image[2], grid.image[2], padded + left);
      std::fill_n(padded + width - right, right, T(0));
    }
  }
}

/// Computes one output row: `source` is the first element of its first window in the padded image of these extents.
template <class T>
using RowFunction = void (*)(const WindowGrid& grid, const Extents3& extents, const T* source, const T* weight, T bias,
                             T* target);

/// Computes a row for any window, tap by tap: each adds a scaled piece of an image row to the output row.
template <class T>
void ComputeRow(const WindowGrid& grid, const Extents3& extents, const T* source, const T* weight, T bias, T* target) {
  const auto& [depth, height, width] = grid.window;
  const int64_t count = grid.positions[2];
  const int64_t stride = width.stride;
  std::fill_n(target, count, bias);
  for (int64_t kd = 0; kd < depth.kernel; ++kd) {
    for (int64_t kh = 0; kh < height.kernel; ++kh) {
      const T* row = source + (kd * depth.dilation * extents[1] + kh * height.dilation) * extents[2];
      for (int64_t kw = 0; kw < width.kernel; ++kw, ++weight, row += width.dilation) {
        const T factor = *weight;
        if (stride == 1) {
#pragma omp simd
          for (int64_t i = 0; i < count; ++i) target[i] += factor * row[i];
        } else {
          for (int64_t i = 0; i < count; ++i) target[i] += factor * row[i * stride];
        }
      }
    }
  }
}

/// Computes a row for a K x K window of dilation 1 and stride S along the row, all taps in one pass.
template <class T, int K, int S>
void ComputeSquareRow(const WindowGrid& grid, const Extents3& extents, const T* source, const T* weight, T bias,
                      T* target) {
  std::array<T, std::size_t{K} * K> taps;
  std::copy_n(weight, taps.size(), taps.begin());
  const int64_t pitch = extents[2];
  const int64_t count = grid.positions[2];
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) {
    T sum = bias;
#pragma GCC unroll 5
    for (int y = 0; y < K; ++y) {
#pragma GCC unroll 5
      for (int x = 0; x < K; ++x) sum += taps[y * K + x] * source[y * pitch + i * S + x];
    }
    target[i] = sum;
  }
}

template <class T>
RowFunction<T> ChooseRowFunction(const WindowGrid& grid) {
  const auto& [depth, height, width] = grid.window;
  const bool square = depth.kernel == 1 && height.kernel == width.kernel && height.dilation == 1 && width.dilation == 1;
  if (square && width.kernel == 3 && width.stride == 1) return ComputeSquareRow<T, 3, 1>;
  if (square && width.kernel == 3 && width.stride == 2) return ComputeSquareRow<T, 3, 2>;
  if (square && width.kernel == 5 && width.stride == 1) return ComputeSquareRow<T, 5, 1>;
  if (square && width.kernel == 5 && width.stride == 2) return ComputeSquareRow<T, 5, 2>;
  return ComputeRow<T>;
}

}  // namespace

int64_t PaddedPlaneSize(const WindowGrid& grid) {
  const Extents3 extents = grid.padded_image();
  return extents == grid.image ? 0 : extents[0] * extents[1] * extents[2];
}

template <class T>
void DepthwisePlane(const WindowGrid& grid, const T* image, const T* weight, T bias, T* output, T* padded) {
  const Extents3 extents = grid.padded_image();
  if (extents != grid.image) {
    PadPlane(grid, extents, image, padded);
    image = padded;
  }
  const RowFunction<T> compute_row = ChooseRowFunction<T>(grid);
  for (int64_t d = 0; d < grid.positions[0]; ++d) {
    for (int64_t h = 0; h < grid.positions[1]; ++h, output += grid.positions[2]) {
      const int64_t row = d * grid.window[0].stride * extents[1] + h * grid.window[1].stride;
      compute_row(grid, extents, image + row * extents[2], weight, bias, output);
    }
  }
}

void DepthwisePlaneFloat(const WindowGrid& grid, const float* image, const float* weight, float bias, float* output,
                         float* padded) {
  HWY_NAMESPACE::DepthwisePlane<float>(grid, image, weight, bias, output, padded);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

// Only float is chosen by instruction set; double serves exactness, not speed.
KUIPER_SIMD_TABLE(DepthwisePlaneFloat);

int64_t PaddedPlaneSize(const WindowGrid& grid) { return HWY_STATIC_DISPATCH(PaddedPlaneSize(grid)); }

template <>
void DepthwisePlane<float>(const WindowGrid& grid, const float* image, const float* weight, float bias, float* output,
                           float* padded) {
  KUIPER_SIMD(DepthwisePlaneFloat)(grid, image, weight, bias, output, padded);
}
template <>
void DepthwisePlane<double>(const WindowGrid& grid, const double* image, const double* weight, double bias,
                            double* output, double* padded) {
  HWY_STATIC_DISPATCH(DepthwisePlane<double>)(grid, image, weight, bias, output, padded);
}

}  // namespace kuiper_infer::kernel
#endif
