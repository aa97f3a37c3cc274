// SPDX-License-Identifier: MIT
// What a build without OpenBLAS has in place of triangular.cpp, lapack.cpp and least_squares_drivers.cpp: triangular
// factors and systems by plain loops, and an error for all else. The error comes when a model is built, because
// planning asks the missing functions for the size of their scratch memory.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "kernel/linear_algebra/least_squares_drivers.hpp"
#include "kernel/linear_algebra/triangular.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::kernel {
namespace {

[[noreturn]] int Missing(const char* routine) {
  throw Error(ErrorCode::kUnsupported,
              std::string("this build of KuiperInfer has no LAPACK (OpenBLAS), whose routine ") + routine +
                  " computes it; a build without KUIPER_STAND_INS has it");
}

template <class T>
void Solve(bool right, const Triangle& triangle, int64_t rows, int64_t columns, const T* a, T* b) {
  const int64_t n = right ? columns : rows;
  const auto element = [&](int64_t i, int64_t j) { return triangle.transposed ? a[j * n + i] : a[i * n + j]; };
  const bool upper = triangle.upper != triangle.transposed;  // of op(A)
  // Where op(A) * X = B is solved from the first unknown on, X * op(A) = B is solved from the last one back.
  const bool backwards = upper != right;
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = backwards ? n - 1 - step : step;
    for (int64_t before = 0; before < step; ++before) {
      const int64_t j = backwards ? n - 1 - before : before;
      const T factor = right ? element(j, i) : element(i, j);
      if (right) {
        for (int64_t row = 0; row < rows; ++row) b[row * n + i] -= factor * b[row * n + j];
      } else {
        for (int64_t k = 0; k < columns; ++k) b[i * columns + k] -= factor * b[j * columns + k];
      }
    }
    if (triangle.unit) continue;
    if (right) {
      for (int64_t row = 0; row < rows; ++row) b[row * n + i] /= element(i, i);
    } else {
      for (int64_t k = 0; k < columns; ++k) b[i * columns + k] /= element(i, i);
    }
  }
}

}  // namespace

namespace lapack {

template <class T>
int64_t WorkCount(T answer) {
  return static_cast<int64_t>(answer);
}

template <class T>
int Potrf(char triangle, int64_t n, T* a) {
  // Element (i,j), i >= j, of the factor L. The upper triangle holds its transpose.
  const auto at = [&](int64_t i, int64_t j) -> T& { return triangle == 'L' ? a[j * n + i] : a[i * n + j]; };
  for (int64_t j = 0; j < n; ++j) {
    T pivot = at(j, j);
    for (int64_t k = 0; k < j; ++k) pivot -= at(j, k) * at(j, k);
    if (!(pivot > T(0))) return static_cast<int>(j + 1);
    at(j, j) = std::sqrt(pivot);
    for (int64_t i = j + 1; i < n; ++i) {
      T sum = at(i, j);
      for (int64_t k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
      at(i, j) = sum / at(j, j);
    }
  }
  return 0;
}

template <class T>
int Getrf(int64_t rows, int64_t columns, T* a, LapackInt* pivots) {
  const auto at = [&](int64_t i, int64_t j) -> T& { return a[j * rows + i]; };
  int info = 0;
  for (int64_t step = 0; step < std::min(rows, columns); ++step) {
    int64_t pivot = step;
    for (int64_t i = step + 1; i < rows; ++i) {
      if (std::abs(at(i, step)) > std::abs(at(pivot, step))) pivot = i;
    }
    pivots[step] = static_cast<LapackInt>(pivot + 1);
    if (at(pivot, step) == T(0)) {
      if (info == 0) info = static_cast<int>(step + 1);
      continue;
    }
    for (int64_t j = 0; j < columns && pivot != step; ++j) std::swap(at(step, j), at(pivot, j));
    for (int64_t i = step + 1; i < rows; ++i) at(i, step) /= at(step, step);
    for (int64_t j = step + 1; j < columns; ++j) {
      const T factor = at(step, j);
      for (int64_t i = step + 1; i < rows; ++i) at(i, j) -= at(i, step) * factor;
    }
  }
  return info;
}

template <class T>
int Geqrf(int64_t, int64_t, T*, T*, T*, int64_t) {
  return Missing("geqrf");
}

template <class T>
int Orgqr(int64_t, int64_t, int64_t, T*, const T*, T*, int64_t) {
  return Missing("orgqr");
}

template <class T>
int Ormqr(char, char, int64_t, int64_t, int64_t, const T*, const T*, T*, T*, int64_t) {
  return Missing("ormqr");
}

template <class T>
int Gesdd(char, int64_t, int64_t, T*, T*, T*, T*, T*, int64_t, LapackInt*) {
  return Missing("gesdd");
}

template <class T>
int Syevd(char, char, int64_t, T*, T*, T*, int64_t, LapackInt*, int64_t) {
  return Missing("syevd");
}

template <class T>
int Geev(bool, int64_t, T*, T*, T*, T*, T*, int64_t) {
  return Missing("geev");
}

KUIPER_INSTANTIATE_LAPACK(float)
KUIPER_INSTANTIATE_LAPACK(double)

}  // namespace lapack

template <class T>
int CallDriver(const LeastSquares&, const DriverCall<T>&) {
  return Missing("gelsd");
}

template <class T>
void SolveTriangular(const Triangle& triangle, int64_t n, int64_t sides, const T* a, T* b) {
  Solve(false, triangle, n, sides, a, b);
}

template <class T>
void SolveTriangularRight(const Triangle& triangle, int64_t n, int64_t sides, const T* a, T* b) {
  Solve(true, triangle, sides, n, a, b);
}

template void SolveTriangular(const Triangle&, int64_t, int64_t, const float*, float*);
template void SolveTriangular(const Triangle&, int64_t, int64_t, const double*, double*);
template void SolveTriangularRight(const Triangle&, int64_t, int64_t, const float*, float*);
template void SolveTriangularRight(const Triangle&, int64_t, int64_t, const double*, double*);
template int CallDriver(const LeastSquares&, const DriverCall<float>&);
template int CallDriver(const LeastSquares&, const DriverCall<double>&);

}  // namespace kuiper_infer::kernel
