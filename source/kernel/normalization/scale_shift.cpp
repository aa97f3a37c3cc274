// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/normalization/scale_shift.cpp"
#include "kernel/normalization/scale_shift.hpp"

#include <cmath>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "utils/simd.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
template <class T>
void FoldStatistics(int64_t channels, double eps, const T* mean, const T* variance, const T* weight, const T* bias,
                    T* scale, T* shift) {
  for (int64_t c = 0; c < channels; ++c) {
    const double w = weight != nullptr ? static_cast<double>(weight[c]) : 1.0;
    const double b = bias != nullptr ? static_cast<double>(bias[c]) : 0.0;
    const double s = w / std::sqrt(static_cast<double>(variance[c]) + eps);
    scale[c] = static_cast<T>(s);
    shift[c] = static_cast<T>(b - static_cast<double>(mean[c]) * s);
  }
}

template <class T>
void ScaleShift(const AxisGeometry& geometry, const T* input, const T* scale, const T* shift, T* output) {
  const auto [outer, channels, inner] = geometry;
  if (inner == 1) {
    ParallelFor(outer, GrainFor(channels), [&, n = channels](int64_t first, int64_t last) {
      for (int64_t row = first; row < last; ++row) {
        const T* x = input + row * n;
        T* y = output + row * n;
        for (int64_t c = 0; c < n; ++c) y[c] = x[c] * scale[c] + shift[c];
      }
    });
    return;
  }
  ParallelFor(outer * channels, GrainFor(inner), [&, n = channels, extent = inner](int64_t first, int64_t last) {
    for (int64_t plane = first; plane < last; ++plane) {
      const T a = scale[plane % n];
      const T b = shift[plane % n];
      const T* x = input + plane * extent;
      T* y = output + plane * extent;
      for (int64_t i = 0; i < extent; ++i) y[i] = x[i] * a + b;
    }
  });
}

void FoldStatisticsFloat(int64_t channels, double eps, const float* mean, const float* variance, const float* weight,
                         const float* bias, float* scale, float* shift) {
  HWY_NAMESPACE::FoldStatistics<float>(channels, eps, mean, variance, weight, bias, scale, shift);
}

void ScaleShiftFloat(const AxisGeometry& geometry, const float* input, const float* scale, const float* shift,
                     float* output) {
  HWY_NAMESPACE::ScaleShift<float>(geometry, input, scale, shift, output);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

// Only float is chosen by instruction set; double serves exactness, not speed.
KUIPER_SIMD_TABLE(FoldStatisticsFloat);
KUIPER_SIMD_TABLE(ScaleShiftFloat);

template <>
void FoldStatistics<float>(int64_t channels, double eps, const float* mean, const float* variance, const float* weight,
                           const float* bias, float* scale, float* shift) {
  KUIPER_SIMD(FoldStatisticsFloat)(channels, eps, mean, variance, weight, bias, scale, shift);
}
template <>
void FoldStatistics<double>(int64_t channels, double eps, const double* mean, const double* variance,
                            const double* weight, const double* bias, double* scale, double* shift) {
  HWY_STATIC_DISPATCH(FoldStatistics<double>)(channels, eps, mean, variance, weight, bias, scale, shift);
}

template <>
void ScaleShift<float>(const AxisGeometry& geometry, const float* input, const float* scale, const float* shift,
                       float* output) {
  KUIPER_SIMD(ScaleShiftFloat)(geometry, input, scale, shift, output);
}
template <>
void ScaleShift<double>(const AxisGeometry& geometry, const double* input, const double* scale, const double* shift,
                        double* output) {
  HWY_STATIC_DISPATCH(ScaleShift<double>)(geometry, input, scale, shift, output);
}

}  // namespace kuiper_infer::kernel
#endif
