// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/normalization/line_normalization.cpp"
#include "kernel/normalization/line_normalization.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "utils/simd.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The number of lines along a middle axis that are handled side by side.
constexpr int64_t kBlock = 64;

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

/// A p-norm as its parts: every line starts with `start`, takes in its elements with `add` and ends with `finish`.
template <class Add, class Finish, class T>
void NormalizeWith(double start, const Add& add, const Finish& finish, double eps, const AxisGeometry& geometry,
                   const T* input, T* output) {
  const int64_t extent = geometry.extent;
  const int64_t stride = geometry.inner;
  ForEachLineBlock(geometry, 4, [&](int64_t offset, int64_t count) {
    double norm[kBlock];
    std::fill_n(norm, count, start);
    const T* x = input + offset;
    T* y = output + offset;
    for (int64_t k = 0; k < extent; ++k) {
      for (int64_t i = 0; i < count; ++i) norm[i] = add(norm[i], std::abs(static_cast<double>(x[k * stride + i])));
    }
    for (int64_t i = 0; i < count; ++i) {
      const double found = finish(norm[i]);
      norm[i] = found < eps ? eps : found;  // keeps NaN
    }
    for (int64_t k = 0; k < extent; ++k) {
      for (int64_t i = 0; i < count; ++i) {
        y[k * stride + i] = static_cast<T>(static_cast<double>(x[k * stride + i]) / norm[i]);
      }
    }
  });
}

}  // namespace

template <class T>
void LocalResponseNormalize(const LocalResponse& parameters, const AxisGeometry& geometry, const T* input, T* output) {
  const int64_t extent = geometry.extent;
  const int64_t stride = geometry.inner;
  const double alpha = parameters.alpha / static_cast<double>(parameters.size);
  ForEachLineBlock(geometry, parameters.size + 16, [&](int64_t offset, int64_t count) {
    for (int64_t c = 0; c < extent; ++c) {
      double squares[kBlock] = {};
      const int64_t last = std::min(c + (parameters.size - 1) / 2, extent - 1);
      for (int64_t k = std::max<int64_t>(c - parameters.size / 2, 0); k <= last; ++k) {
        const T* x = input + offset + k * stride;
        for (int64_t i = 0; i < count; ++i) squares[i] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
      }
      const T* x = input + offset + c * stride;
      T* y = output + offset + c * stride;
      for (int64_t i = 0; i < count; ++i) {
        const double divisor = std::pow(parameters.k + alpha * squares[i], parameters.beta);
        y[i] = static_cast<T>(static_cast<double>(x[i]) / divisor);
      }
    }
  });
}

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
KUIPER_SIMD_TABLE(LocalResponseNormalizeFloat);
KUIPER_SIMD_TABLE(NormalizeLinesFloat);

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
