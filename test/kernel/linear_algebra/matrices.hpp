// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace kuiper_infer::kernel {

/// A row-major matrix with the slow operations that factors are checked by.
template <class T>
struct Matrix {
  Matrix(int64_t row_count, int64_t column_count)
      : rows(row_count), columns(column_count), elements(static_cast<std::size_t>(row_count * column_count)) {}

  T& operator()(int64_t i, int64_t j) { return elements[static_cast<std::size_t>(i * columns + j)]; }
  const T& operator()(int64_t i, int64_t j) const { return elements[static_cast<std::size_t>(i * columns + j)]; }
  T* data() { return elements.data(); }
  const T* data() const { return elements.data(); }

  int64_t rows;
  int64_t columns;
  std::vector<T> elements;
};

template <class T>
Matrix<T> RandomMatrix(int64_t rows, int64_t columns, std::mt19937& random) {
  Matrix<T> matrix(rows, columns);
  std::normal_distribution<double> normal;
  std::generate(matrix.elements.begin(), matrix.elements.end(), [&] { return static_cast<T>(normal(random)); });
  return matrix;
}

template <class T>
Matrix<T> Identity(int64_t n) {
  Matrix<T> matrix(n, n);
  for (int64_t i = 0; i < n; ++i) matrix(i, i) = T(1);
  return matrix;
}

template <class T>
Matrix<T> Transposed(const Matrix<T>& a) {
  Matrix<T> result(a.columns, a.rows);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < a.columns; ++j) result(j, i) = a(i, j);
  }
  return result;
}

template <class T>
Matrix<T> operator*(const Matrix<T>& a, const Matrix<T>& b) {
  Matrix<T> result(a.rows, b.columns);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t k = 0; k < a.columns; ++k) {
      for (int64_t j = 0; j < b.columns; ++j) result(i, j) += a(i, k) * b(k, j);
    }
  }
  return result;
}

/// The elements on and above (or below) the diagonal, with zeros elsewhere.
template <class T>
Matrix<T> TriangleOf(const Matrix<T>& a, bool upper, bool unit = false) {
  Matrix<T> result(a.rows, a.columns);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < a.columns; ++j) {
      if (upper ? j >= i : j <= i) result(i, j) = i == j && unit ? T(1) : a(i, j);
    }
  }
  return result;
}

/// The largest difference of elements, relative to the largest element of `a` if that is above 1.
template <class T>
double Difference(const Matrix<T>& a, const Matrix<T>& b) {
  if (a.rows != b.rows || a.columns != b.columns) return std::numeric_limits<double>::infinity();
  double difference = 0;
  double largest = 1;
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    const double distance = std::abs(std::complex<double>(a.elements[i]) - std::complex<double>(b.elements[i]));
    if (!(distance <= std::numeric_limits<double>::max())) return std::numeric_limits<double>::infinity();
    difference = std::max(difference, distance);
    largest = std::max(largest, std::abs(std::complex<double>(a.elements[i])));
  }
  return difference / largest;
}

/// The error that factors of matrices of this size may have.
template <class T>
double Allowed(int64_t n) {
  return 50.0 * static_cast<double>(n + 1) * std::numeric_limits<T>::epsilon();
}

/// Scratch memory, aligned for any type.
inline std::byte* Scratch(std::vector<std::max_align_t>& memory, int64_t bytes) {
  memory.resize(static_cast<std::size_t>(bytes) / sizeof(std::max_align_t) + 1);
  return reinterpret_cast<std::byte*>(memory.data());
}

using MatrixTypes = testing::Types<float, double>;

/// A test of matrices that are drawn at random from several seeds.
template <class T>
class MatrixTest : public testing::Test {
 protected:
  static constexpr unsigned kSeeds = 12;

  int64_t Small(int64_t least) { return std::uniform_int_distribution<int64_t>(least, 9)(random_); }
  /// An extent, sometimes one beyond LAPACK's blocks.
  int64_t Extent() { return std::uniform_int_distribution<>(0, 5)(random_) == 0 ? 70 : Small(0); }
  template <class Check>
  void ForSeeds(const Check& check) {
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      random_.seed(seed);
      check();
    }
  }
  Matrix<T> Random(int64_t rows, int64_t columns) { return RandomMatrix<T>(rows, columns, random_); }

  std::mt19937 random_;
  std::vector<std::max_align_t> memory_;
};

}  // namespace kuiper_infer::kernel
