// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <limits>

#include "shape/window_grid.hpp"
#include "shape/window_range.hpp"

namespace kuiper_infer::kernel {

/// A part of a (depth, height, width) plane: along each axis the elements first, first + dilation, ... below last.
struct Box {
  std::array<IndexRange, 3> range;
  Extents3 dilation{1, 1, 1};
};

/// The sum of the elements of a box whose dilations are 1, in double.
template <class T>
double SumBox(const Extents3& plane, const Box& box, const T* values) {
  const auto [depth, height, width] = box.range;
  int64_t slices = depth.last - depth.first;
  int64_t rows = height.last - height.first;
  int64_t run = width.last - width.first;
  // Whole rows, and whole slices, lie behind one another.
  if (run == plane[2]) {
    run *= rows;
    rows = 1;
    if (run == plane[1] * plane[2]) {
      run *= slices;
      slices = 1;
    }
  }
  double sum = 0;
  for (int64_t d = 0; d < slices; ++d) {
    for (int64_t h = 0; h < rows; ++h) {
      const T* x = values + ((depth.first + d) * plane[1] + height.first + h) * plane[2] + width.first;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < run; ++i) sum += static_cast<double>(x[i]);
    }
  }
  return sum;
}

template <class T>
struct LargestElement {
  T value;
  int64_t index;  ///< row-major offset in the plane
};

/// Returns the number from which a maximum starts: -infinity if the type has it.
template <class T>
constexpr T LowestValue() {
  return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
}

/// The first of the largest elements, or the last NaN if there is one. An empty box gives LowestValue at its corner.
template <class T>
LargestElement<T> LargestInBox(const Extents3& plane, const Box& box, const T* values) {
  const auto [depth, height, width] = box.range;
  LargestElement<T> largest{LowestValue<T>(), (depth.first * plane[1] + height.first) * plane[2] + width.first};
  for (int64_t d = depth.first; d < depth.last; d += box.dilation[0]) {
    for (int64_t h = height.first; h < height.last; h += box.dilation[1]) {
      const int64_t row = (d * plane[1] + h) * plane[2];
      for (int64_t w = width.first; w < width.last; w += box.dilation[2]) {
        const T value = values[row + w];
        if (value > largest.value || value != value) largest = {value, row + w};
      }
    }
  }
  return largest;
}

}  // namespace kuiper_infer::kernel
