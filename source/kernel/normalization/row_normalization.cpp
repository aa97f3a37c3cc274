// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/normalization/row_normalization.cpp"
#include "kernel/normalization/row_normalization.hpp"

#include <cmath>
#include <type_traits>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/normalization/row_functions-inl.hpp"
#include "utils/simd.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

struct Statistics {
  double mean;
  double scale;  ///< what the distance from the mean is multiplied by
};

template <class T>
double Sum(int64_t count, const T* x) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) sum += static_cast<double>(x[i]);
  return sum;
}

template <class T>
double SumOfSquares(int64_t count, const T* x, double mean) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) {
    const double distance = static_cast<double>(x[i]) - mean;
    sum += distance * distance;
  }
  return sum;
}

template <class T>
Statistics RowStatistics(NormalizationKind kind, int64_t count, double eps, const T* x) {
  const auto n = static_cast<double>(count);
  const double mean = kind == NormalizationKind::kVariance ? Sum(count, x) / n : 0.0;
  return {mean, 1.0 / std::sqrt(SumOfSquares(count, x, mean) / n + eps)};
}

/// Normalises rows with inner = 1. Out is float, or uint16_t for results rounded to bfloat16.
template <class Out>
void NormalizeFloatRows(NormalizationKind kind, const NormalizationGeometry& geometry, double eps, const float* input,
                        const float* weight, const float* bias, Out* output) {
  const int64_t channels = geometry.channels;
  ParallelFor(geometry.rows, GrainFor(channels * 4), [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      const int64_t first_channel = row % geometry.groups * channels;
      NormalizeRow(kind == NormalizationKind::kVariance, channels, eps, input + row * channels,
                   weight != nullptr ? weight + first_channel : nullptr,
                   bias != nullptr ? bias + first_channel : nullptr, output + row * channels);
    }
  });
}

}  // namespace

template <class T>
void NormalizeRows(NormalizationKind kind, const NormalizationGeometry& geometry, double eps, const T* input,
                   const T* weight, const T* bias, T* output) {
  const int64_t channels = geometry.channels;
  const int64_t inner = geometry.inner;
  const int64_t extent = channels * inner;
  if (extent == 0) return;
  if constexpr (std::is_same_v<T, float>) {
    if (inner == 1) return NormalizeFloatRows(kind, geometry, eps, input, weight, bias, output);
  }
  ParallelFor(geometry.rows, GrainFor(extent * 4), [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      const T* x = input + row * extent;
      T* y = output + row * extent;
      const int64_t first_channel = row % geometry.groups * channels;
      const T* w = weight != nullptr ? weight + first_channel : nullptr;
      const T* b = bias != nullptr ? bias + first_channel : nullptr;
      const Statistics found = RowStatistics(kind, extent, eps, x);
      if (inner == 1) {
        for (int64_t i = 0; i < channels; ++i) {
          y[i] = static_cast<T>((static_cast<double>(x[i]) - found.mean) * found.scale);
        }
        if (w != nullptr) {
          for (int64_t i = 0; i < channels; ++i) y[i] *= w[i];
        }
        if (b != nullptr) {
          for (int64_t i = 0; i < channels; ++i) y[i] += b[i];
        }
        continue;
      }
      for (int64_t c = 0; c < channels; ++c) {
        const double scale = w != nullptr ? found.scale * static_cast<double>(w[c]) : found.scale;
        const double shift = b != nullptr ? static_cast<double>(b[c]) : 0.0;
        const T* from = x + c * inner;
        T* to = y + c * inner;
        for (int64_t i = 0; i < inner; ++i) {
          to[i] = static_cast<T>((static_cast<double>(from[i]) - found.mean) * scale + shift);
        }
      }
    }
  });
}

void NormalizeRowsRounded(NormalizationKind kind, const NormalizationGeometry& geometry, double eps, const float* input,
                          const float* weight, const float* bias, uint16_t* output) {
  if (!kStoresBFloat16 || geometry.channels == 0) return;
  NormalizeFloatRows(kind, geometry, eps, input, weight, bias, output);
}

void NormalizeRowsFloat(NormalizationKind kind, const NormalizationGeometry& geometry, double eps, const float* input,
                        const float* weight, const float* bias, float* output) {
  HWY_NAMESPACE::NormalizeRows<float>(kind, geometry, eps, input, weight, bias, output);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

// Only float is chosen by instruction set; double serves exactness, not speed.
KUIPER_SIMD_TABLE(NormalizeRowsFloat);
KUIPER_SIMD_TABLE(NormalizeRowsRounded);

void NormalizeRowsToBFloat16(NormalizationKind kind, const NormalizationGeometry& geometry, double eps,
                             const float* input, const float* weight, const float* bias, uint16_t* output) {
  KUIPER_SIMD(NormalizeRowsRounded)(kind, geometry, eps, input, weight, bias, output);
}

template <>
void NormalizeRows<float>(NormalizationKind kind, const NormalizationGeometry& geometry, double eps, const float* input,
                          const float* weight, const float* bias, float* output) {
  KUIPER_SIMD(NormalizeRowsFloat)(kind, geometry, eps, input, weight, bias, output);
}
template <>
void NormalizeRows<double>(NormalizationKind kind, const NormalizationGeometry& geometry, double eps,
                           const double* input, const double* weight, const double* bias, double* output) {
  HWY_STATIC_DISPATCH(NormalizeRows<double>)(kind, geometry, eps, input, weight, bias, output);
}

}  // namespace kuiper_infer::kernel
#endif
