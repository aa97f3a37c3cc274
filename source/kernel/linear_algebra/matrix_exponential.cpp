// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/matrix_exponential.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernel/linear_algebra/column_major.hpp"
#include "kernel/product/gemm.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The series ends with A^16 / 16!. Below these norms, what it leaves out is smaller than half a unit of the last
/// place.
template <class T>
constexpr double kLargestNorm = 0.7;
template <>
constexpr double kLargestNorm<float> = 2;

constexpr int kGroups = 4;  // of 4 powers each

template <class T>
struct ExponentialBuffers : ScratchParts {
  ExponentialBuffers(int64_t n, std::byte* memory) : ScratchParts(memory), sum(Take<T>(n * n)) {
    for (T*& power : powers) power = Take<T>(n * n);
  }

  T* sum;
  std::array<T*, kGroups> powers;  ///< A, A^2, A^3, A^4
};

/// The largest sum of magnitudes in a column, which bounds the eigenvalues. Not finite if an element is not.
template <class T>
double ColumnNorm(int64_t n, const T* a) {
  double norm = 0;
  for (int64_t j = 0; j < n; ++j) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += std::abs(static_cast<double>(a[i * n + j]));
    norm = std::max(norm, sum);
    if (!std::isfinite(sum)) return sum;
  }
  return norm;
}

template <class T>
void Multiply(int64_t n, const T* a, const T* b, T* c) {
  Gemm<T>(false, false, n, n, n, T(1), a, n, b, n, T(0), c, n);
}

/// Adds the terms of group `group`: A^i / (4 group + i)! for i = 0, ..., 3.
template <class T>
void AddGroup(int64_t n, const ExponentialBuffers<T>& buffers, int group, T* sum) {
  double factorial = std::tgamma(kGroups * group + 1.0);
  for (int64_t i = 0; i < n; ++i) sum[i * n + i] += static_cast<T>(1 / factorial);
  for (int power = 1; power < kGroups; ++power) {
    factorial *= kGroups * group + power;
    const T factor = static_cast<T>(1 / factorial);
    const T* elements = buffers.powers[static_cast<std::size_t>(power - 1)];
    for (int64_t i = 0; i < n * n; ++i) sum[i] += factor * elements[i];
  }
}

}  // namespace

template <class T>
int64_t MatrixExponentialScratch(int64_t n) {
  return ExponentialBuffers<T>(n, nullptr).bytes();
}

template <class T>
void MatrixExponential(int64_t n, const T* a, T* exponential, std::byte* scratch) {
  if (n == 0) return;
  const ExponentialBuffers<T> buffers(n, scratch);
  const double norm = ColumnNorm(n, a);
  if (!std::isfinite(norm)) {
    std::fill_n(exponential, n * n, std::numeric_limits<T>::quiet_NaN());
    return;
  }
  // exp(A) = exp(A / 2^s)^(2^s)
  const int squarings = norm <= kLargestNorm<T> ? 0 : static_cast<int>(std::ceil(std::log2(norm / kLargestNorm<T>)));
  const auto& powers = buffers.powers;
  std::transform(a, a + n * n, powers[0], [&](T x) { return std::ldexp(x, -squarings); });
  for (std::size_t power = 1; power < kGroups; ++power) Multiply(n, powers[0], powers[power - 1], powers[power]);
  // Horner's scheme in A^4.
  const T last = static_cast<T>(1 / std::tgamma(kGroups * kGroups + 1.0));
  T* sum = exponential;
  T* product = buffers.sum;
  std::transform(powers[3], powers[3] + n * n, sum, [&](T x) { return last * x; });
  for (int group = kGroups - 1; group >= 0; --group) {
    AddGroup(n, buffers, group, sum);
    if (group == 0) break;
    Multiply(n, sum, powers[3], product);
    std::swap(sum, product);
  }
  for (int i = 0; i < squarings; ++i) {
    Multiply(n, sum, sum, product);
    std::swap(sum, product);
  }
  if (sum != exponential) std::copy_n(sum, n * n, exponential);
}

template int64_t MatrixExponentialScratch<float>(int64_t);
template int64_t MatrixExponentialScratch<double>(int64_t);
template void MatrixExponential(int64_t, const float*, float*, std::byte*);
template void MatrixExponential(int64_t, const double*, double*, std::byte*);

}  // namespace kuiper_infer::kernel
