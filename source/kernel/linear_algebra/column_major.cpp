// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/column_major.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace kuiper_infer::kernel {
namespace {

/// to[j * to_pitch + i] = from[i * from_pitch + j]: by squares, of which both sides stay in the cache.
template <class T>
void CopyTransposed(int64_t rows, int64_t columns, const T* from, int64_t from_pitch, T* to, int64_t to_pitch) {
  constexpr int64_t kSide = 32;
  for (int64_t top = 0; top < rows; top += kSide) {
    const int64_t bottom = std::min(top + kSide, rows);
    for (int64_t left = 0; left < columns; left += kSide) {
      const int64_t right = std::min(left + kSide, columns);
      for (int64_t i = top; i < bottom; ++i) {
        for (int64_t j = left; j < right; ++j) to[j * to_pitch + i] = from[i * from_pitch + j];
      }
    }
  }
}

}  // namespace

template <class T>
void ToColumns(int64_t rows, int64_t columns, const T* from, int64_t from_pitch, T* to, int64_t to_pitch) {
  CopyTransposed(rows, columns, from, from_pitch, to, to_pitch);
}

template <class T>
void ToRows(int64_t rows, int64_t columns, const T* from, int64_t pitch, T* to) {
  CopyTransposed(columns, rows, from, pitch, to, columns);
}

template <class T>
void ClearBelowDiagonal(int64_t rows, int64_t columns, T* a) {
  for (int64_t i = 1; i < rows; ++i) std::fill_n(a + i * columns, std::min(i, columns), T(0));
}

template <class T>
void ClearAboveDiagonal(int64_t rows, int64_t columns, T* a) {
  for (int64_t i = 0; i < rows && i + 1 < columns; ++i) {
    std::fill_n(a + i * columns + i + 1, columns - i - 1, T(0));
  }
}

template <class T>
void FillIdentity(int64_t rows, int64_t columns, T* a) {
  std::fill_n(a, rows * columns, T(0));
  for (int64_t i = 0; i < std::min(rows, columns); ++i) a[i * columns + i] = T(1);
}

template <class T>
bool AllFinite(int64_t count, const T* a) {
  return std::all_of(a, a + count, [](T x) { return std::isfinite(x); });
}

#define KUIPER_INSTANTIATE(T)                                                \
  template void ToColumns(int64_t, int64_t, const T*, int64_t, T*, int64_t); \
  template void ToRows(int64_t, int64_t, const T*, int64_t, T*);             \
  template void ClearBelowDiagonal(int64_t, int64_t, T*);                    \
  template void ClearAboveDiagonal(int64_t, int64_t, T*);                    \
  template void FillIdentity(int64_t, int64_t, T*);                          \
  template bool AllFinite(int64_t, const T*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
#undef KUIPER_INSTANTIATE

}  // namespace kuiper_infer::kernel
