// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace kuiper_infer::kernel {

/// The elements of a plane whose weighted sum is a sample, with their weights.
template <class T, int kMost>
struct SampleTaps {
  int64_t count = 0;
  int64_t offset[kMost];
  T weight[kMost];

  void Add(int64_t element, T factor) {
    offset[count] = element;
    weight[count++] = factor;
  }
  T Sum(const T* plane) const {
    T sum = 0;
    for (int64_t t = 0; t < count; ++t) sum += weight[t] * plane[offset[t]];
    return sum;
  }
};

/// The index of a position, which is a whole number or NaN; -1 if it lies outside of the axis or is NaN.
template <class T>
int64_t IndexOf(T position, int64_t extent) {
  return position >= T(0) && position < static_cast<T>(extent) ? static_cast<int64_t>(position) : -1;
}

/// The elements of a bilinear sample of a (height, width) plane at the position (y, x), counted in elements. The plane
/// is surrounded by zeros.
template <class T>
SampleTaps<T, 4> BilinearTaps(int64_t height, int64_t width, T y, T x) {
  SampleTaps<T, 4> taps;
  const T top = std::floor(y);
  const T left = std::floor(x);
  for (int j = 0; j < 2; ++j) {
    const int64_t row = IndexOf(top + static_cast<T>(j), height);
    for (int i = 0; i < 2; ++i) {
      const int64_t column = IndexOf(left + static_cast<T>(i), width);
      if (row < 0 || column < 0) continue;
      const T weight_y = j == 0 ? T(1) - (y - top) : y - top;
      const T weight_x = i == 0 ? T(1) - (x - left) : x - left;
      taps.Add(row * width + column, weight_y * weight_x);
    }
  }
  return taps;
}

/// The elements of a bilinear sample of a (height, width) plane for regions of interest: a position up to one element
/// outside of the plane counts as the border, and positions beyond give zero.
template <class T>
SampleTaps<T, 4> BorderTaps(int64_t height, int64_t width, T y, T x) {
  const bool near = y >= T(-1) && y <= static_cast<T>(height) && x >= T(-1) && x <= static_cast<T>(width);
  if (!near) return {};
  return BilinearTaps(height, width, std::clamp(y, T(0), static_cast<T>(height - 1)),
                      std::clamp(x, T(0), static_cast<T>(width - 1)));
}

}  // namespace kuiper_infer::kernel
