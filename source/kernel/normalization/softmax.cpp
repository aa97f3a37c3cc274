// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/normalization/softmax.cpp"
#include "kernel/normalization/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/elementwise/vector_math.hpp"
#include "kernel/normalization/row_functions-inl.hpp"
#include "utils/simd.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The number of lines that are computed side by side if the axis is not the innermost one. It is also the length of
/// the pieces in which an innermost axis is summed.
constexpr int64_t kBlock = 64;

/// The number of operations per element, for the choice of threads.
constexpr int64_t kCost = 8;

template <class T>
T Larger(T a, T b) {
  return b > a || b != b ? b : a;
}

/// Computes one contiguous line.
template <class T>
void SoftmaxLine(SoftmaxKind kind, int64_t extent, const T* input, T* output) {
  const T sign = kind == SoftmaxKind::kSoftmin ? T(-1) : T(1);
  T largest = -std::numeric_limits<T>::infinity();
#pragma omp simd reduction(max : largest)
  for (int64_t i = 0; i < extent; ++i) largest = std::max(largest, sign * input[i]);
  double sum = 0;
  for (int64_t first = 0; first < extent; first += kBlock) {
    const int64_t count = std::min(kBlock, extent - first);
    T powers[kBlock];
    for (int64_t i = 0; i < count; ++i) powers[i] = Exp(sign * input[first + i] - largest);
    T part = 0;
#pragma omp simd reduction(+ : part)
    for (int64_t i = 0; i < count; ++i) part += powers[i];
    sum += static_cast<double>(part);
    if (kind != SoftmaxKind::kLogSoftmax) std::copy_n(powers, count, output + first);
  }
  if (kind == SoftmaxKind::kLogSoftmax) {
    const T log_sum = static_cast<T>(std::log(sum));
    for (int64_t i = 0; i < extent; ++i) output[i] = (input[i] - largest) - log_sum;
  } else {
    const T scale = static_cast<T>(1.0 / sum);
    for (int64_t i = 0; i < extent; ++i) output[i] *= scale;
  }
}

/// Computes `count` <= kBlock neighbouring lines, whose elements are `stride` apart.
template <class T>
void SoftmaxBlock(SoftmaxKind kind, int64_t extent, int64_t stride, int64_t count, const T* input, T* output) {
  const T sign = kind == SoftmaxKind::kSoftmin ? T(-1) : T(1);
  T largest[kBlock];
  std::fill_n(largest, count, -std::numeric_limits<T>::infinity());
  for (int64_t k = 0; k < extent; ++k) {
    const T* row = input + k * stride;
    for (int64_t i = 0; i < count; ++i) largest[i] = Larger(largest[i], sign * row[i]);
  }
  double sum[kBlock] = {};
  for (int64_t k = 0; k < extent; ++k) {
    const T* row = input + k * stride;
    T powers[kBlock];
    for (int64_t i = 0; i < count; ++i) powers[i] = Exp(sign * row[i] - largest[i]);
    for (int64_t i = 0; i < count; ++i) sum[i] += static_cast<double>(powers[i]);
    if (kind != SoftmaxKind::kLogSoftmax) std::copy_n(powers, count, output + k * stride);
  }
  T factor[kBlock];
  const bool log = kind == SoftmaxKind::kLogSoftmax;
  for (int64_t i = 0; i < count; ++i) factor[i] = static_cast<T>(log ? std::log(sum[i]) : 1.0 / sum[i]);
  for (int64_t k = 0; k < extent; ++k) {
    const T* row = input + k * stride;
    T* result = output + k * stride;
    if (log) {
      for (int64_t i = 0; i < count; ++i) result[i] = (row[i] - largest[i]) - factor[i];
    } else {
      for (int64_t i = 0; i < count; ++i) result[i] *= factor[i];
    }
  }
}

}  // namespace

template <class T>
void Softmax(SoftmaxKind kind, const AxisGeometry& geometry, const T* input, T* output) {
  const auto [outer, extent, inner] = geometry;
  if (geometry.size() == 0) return;
  if (inner == 1) {
    ParallelFor(outer, GrainFor(extent * kCost), [&, n = extent](int64_t first, int64_t last) {
      for (int64_t line = first; line < last; ++line) {
        if constexpr (std::is_same_v<T, float>) {
          if (kind == SoftmaxKind::kSoftmax) {
            SoftmaxRow(n, input + line * n, output + line * n);
            continue;
          }
        }
        SoftmaxLine(kind, n, input + line * n, output + line * n);
      }
    });
    return;
  }
  const int64_t blocks = (inner + kBlock - 1) / kBlock;
  const int64_t cost = extent * std::min(inner, kBlock) * kCost;
  ParallelFor(outer * blocks, GrainFor(cost), [&, n = extent, stride = inner](int64_t first, int64_t last) {
    for (int64_t block = first; block < last; ++block) {
      const int64_t column = block % blocks * kBlock;
      const int64_t offset = block / blocks * n * stride + column;
      SoftmaxBlock(kind, n, stride, std::min(kBlock, stride - column), input + offset, output + offset);
    }
  });
}

void SoftmaxFloat(SoftmaxKind kind, const AxisGeometry& geometry, const float* input, float* output) {
  HWY_NAMESPACE::Softmax<float>(kind, geometry, input, output);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

// Only float is chosen by instruction set; double serves exactness, not speed.
KUIPER_SIMD_TABLE(SoftmaxFloat);

template <>
void Softmax<float>(SoftmaxKind kind, const AxisGeometry& geometry, const float* input, float* output) {
  KUIPER_SIMD(SoftmaxFloat)(kind, geometry, input, output);
}
template <>
void Softmax<double>(SoftmaxKind kind, const AxisGeometry& geometry, const double* input, double* output) {
  HWY_STATIC_DISPATCH(Softmax<double>)(kind, geometry, input, output);
}

}  // namespace kuiper_infer::kernel
#endif
