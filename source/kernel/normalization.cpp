// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/normalization.cpp"
#include "kernel/normalization.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/row_functions-inl.hpp"
#include "utils/parallel.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Lines along a middle axis that are handled side by side.
constexpr int64_t kBlock = 64;

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

/// Splits (outer, extent, inner) into blocks of up to kBlock neighbouring lines: body(offset of the block's first
/// element, number of lines). `cost` counts operations per element.
template <class Body>
void ForEachLineBlock(const AxisGeometry& geometry, int64_t cost, const Body& body) {
  if (geometry.size() == 0) return;
  const int64_t blocks = (geometry.inner + kBlock - 1) / kBlock;
  const int64_t width = std::min(geometry.inner, kBlock);
  ParallelFor(geometry.outer * blocks, GrainFor(geometry.extent * width * cost), [&](int64_t first, int64_t last) {
    for (int64_t block = first; block < last; ++block) {
      const int64_t column = block % blocks * kBlock;
      body(block / blocks * geometry.extent * geometry.inner + column, std::min(kBlock, geometry.inner - column));
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
  ParallelFor(geometry.rows, GrainFor(extent * 4), [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      const T* x = input + row * extent;
      T* y = output + row * extent;
      const int64_t first_channel = row % geometry.groups * channels;
      const T* w = weight != nullptr ? weight + first_channel : nullptr;
      const T* b = bias != nullptr ? bias + first_channel : nullptr;
      if constexpr (std::is_same_v<T, float>) {
        if (inner == 1) {
          NormalizeRow(kind == NormalizationKind::kVariance, channels, eps, x, w, b, y);
          continue;
        }
      }
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

template <class T>
void LocalResponseNormalize(const LocalResponse& parameters, const AxisGeometry& geometry, const T* input, T* output) {
  const int64_t extent = geometry.extent;
  const int64_t step = geometry.inner;
  const double alpha = parameters.alpha / static_cast<double>(parameters.size);
  ForEachLineBlock(geometry, parameters.size + 16, [&](int64_t offset, int64_t count) {
    for (int64_t c = 0; c < extent; ++c) {
      double squares[kBlock] = {};
      const int64_t last = std::min(c + (parameters.size - 1) / 2, extent - 1);
      for (int64_t k = std::max<int64_t>(c - parameters.size / 2, 0); k <= last; ++k) {
        const T* x = input + offset + k * step;
        for (int64_t i = 0; i < count; ++i) squares[i] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
      }
      const T* x = input + offset + c * step;
      T* y = output + offset + c * step;
      for (int64_t i = 0; i < count; ++i) {
        const double divisor = std::pow(parameters.k + alpha * squares[i], parameters.beta);
        y[i] = static_cast<T>(static_cast<double>(x[i]) / divisor);
      }
    }
  });
}

namespace {

/// A p-norm as its parts: every line starts with `start`, takes in its elements with `add` and ends with `finish`.
template <class Add, class Finish, class T>
void NormalizeWith(double start, const Add& add, const Finish& finish, double eps, const AxisGeometry& geometry,
                   const T* input, T* output) {
  const int64_t extent = geometry.extent;
  const int64_t step = geometry.inner;
  ForEachLineBlock(geometry, 4, [&](int64_t offset, int64_t count) {
    double norm[kBlock];
    std::fill_n(norm, count, start);
    const T* x = input + offset;
    T* y = output + offset;
    for (int64_t k = 0; k < extent; ++k) {
      for (int64_t i = 0; i < count; ++i) norm[i] = add(norm[i], std::abs(static_cast<double>(x[k * step + i])));
    }
    for (int64_t i = 0; i < count; ++i) {
      const double found = finish(norm[i]);
      norm[i] = found < eps ? eps : found;  // keeps NaN
    }
    for (int64_t k = 0; k < extent; ++k) {
      for (int64_t i = 0; i < count; ++i) {
        y[k * step + i] = static_cast<T>(static_cast<double>(x[k * step + i]) / norm[i]);
      }
    }
  });
}

}  // namespace

template <class T>
void NormalizeLines(double p, double eps, const AxisGeometry& geometry, const T* input, T* output) {
  const auto same = [](double sum) { return sum; };
  const auto larger = [](double a, double b) { return b > a || b != b ? b : a; };
  const auto smaller = [](double a, double b) { return b < a || b != b ? b : a; };
  const auto run = [&](double start, const auto& add, const auto& finish) {
    NormalizeWith(start, add, finish, eps, geometry, input, output);
  };
  if (p == 2) {
    run(
        0, [](double sum, double x) { return sum + x * x; }, [](double sum) { return std::sqrt(sum); });
  } else if (p == 1) {
    run(
        0, [](double sum, double x) { return sum + x; }, same);
  } else if (p == 0) {
    run(
        0, [](double sum, double x) { return sum + (x != 0 ? 1.0 : 0.0); }, same);
  } else if (std::isinf(p)) {
    if (p > 0) {
      run(0, larger, same);
    } else {
      run(std::numeric_limits<double>::infinity(), smaller, same);
    }
  } else {
    run(
        0, [p](double sum, double x) { return sum + std::pow(x, p); }, [p](double s) { return std::pow(s, 1 / p); });
  }
}

void NormalizeRowsFloat(NormalizationKind kind, const NormalizationGeometry& geometry, double eps, const float* input,
                        const float* weight, const float* bias, float* output) {
  HWY_NAMESPACE::NormalizeRows<float>(kind, geometry, eps, input, weight, bias, output);
}

void FoldStatisticsFloat(int64_t channels, double eps, const float* mean, const float* variance, const float* weight,
                         const float* bias, float* scale, float* shift) {
  HWY_NAMESPACE::FoldStatistics<float>(channels, eps, mean, variance, weight, bias, scale, shift);
}

void ScaleShiftFloat(const AxisGeometry& geometry, const float* input, const float* scale, const float* shift,
                     float* output) {
  HWY_NAMESPACE::ScaleShift<float>(geometry, input, scale, shift, output);
}

void LocalResponseNormalizeFloat(const LocalResponse& parameters, const AxisGeometry& geometry, const float* input,
                                 float* output) {
  HWY_NAMESPACE::LocalResponseNormalize<float>(parameters, geometry, input, output);
}

void NormalizeLinesFloat(double p, double eps, const AxisGeometry& geometry, const float* input, float* output) {
  HWY_NAMESPACE::NormalizeLines<float>(p, eps, geometry, input, output);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

// Only float is chosen by instruction set; double serves exactness, not speed.
KUIPER_SIMD_TABLE(NormalizeRowsFloat);
KUIPER_SIMD_TABLE(FoldStatisticsFloat);
KUIPER_SIMD_TABLE(ScaleShiftFloat);
KUIPER_SIMD_TABLE(LocalResponseNormalizeFloat);
KUIPER_SIMD_TABLE(NormalizeLinesFloat);

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

template <>
void LocalResponseNormalize<float>(const LocalResponse& parameters, const AxisGeometry& geometry, const float* input,
                                   float* output) {
  KUIPER_SIMD(LocalResponseNormalizeFloat)(parameters, geometry, input, output);
}
template <>
void LocalResponseNormalize<double>(const LocalResponse& parameters, const AxisGeometry& geometry, const double* input,
                                    double* output) {
  HWY_STATIC_DISPATCH(LocalResponseNormalize<double>)(parameters, geometry, input, output);
}

template <>
void NormalizeLines<float>(double p, double eps, const AxisGeometry& geometry, const float* input, float* output) {
  KUIPER_SIMD(NormalizeLinesFloat)(p, eps, geometry, input, output);
}
template <>
void NormalizeLines<double>(double p, double eps, const AxisGeometry& geometry, const double* input, double* output) {
  HWY_STATIC_DISPATCH(NormalizeLines<double>)(p, eps, geometry, input, output);
}

}  // namespace kuiper_infer::kernel
#endif
