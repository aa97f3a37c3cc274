// SPDX-License-Identifier: MIT
#include "kernel/distance.hpp"

#include <algorithm>
#include <cmath>

#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class T>
T Distance(double p, int64_t width, const T* a, const T* b) {
  T sum = 0;
  if (p == 2) {
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < width; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
  }
  if (p == 1) {
    for (int64_t i = 0; i < width; ++i) sum += std::abs(a[i] - b[i]);
    return sum;
  }
  if (std::isinf(p)) {
    for (int64_t i = 0; i < width; ++i) sum = std::max(sum, std::abs(a[i] - b[i]));
    return sum;
  }
  if (p == 0) {
    for (int64_t i = 0; i < width; ++i) sum += a[i] != b[i] ? T(1) : T(0);
    return sum;
  }
  double powers = 0;
  for (int64_t i = 0; i < width; ++i)
    powers += std::pow(std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])), p);
  return static_cast<T>(std::pow(powers, 1 / p));
}

}  // namespace

template <class T>
void PairDistances(double p, int64_t rows, int64_t columns, int64_t width, const T* x, const T* y, T* out) {
  ParallelFor(rows, GrainFor(columns * width), [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      for (int64_t j = 0; j < columns; ++j) out[i * columns + j] = Distance(p, width, x + i * width, y + j * width);
    }
  });
}

template <class T>
void SelfDistances(double p, int64_t rows, int64_t width, const T* x, T* out) {
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = i + 1; j < rows; ++j) *out++ = Distance(p, width, x + i * width, x + j * width);
  }
}

template void PairDistances<float>(double, int64_t, int64_t, int64_t, const float*, const float*, float*);
template void PairDistances<double>(double, int64_t, int64_t, int64_t, const double*, const double*, double*);
template void SelfDistances<float>(double, int64_t, int64_t, const float*, float*);
template void SelfDistances<double>(double, int64_t, int64_t, const double*, double*);

}  // namespace kuiper_infer::kernel
