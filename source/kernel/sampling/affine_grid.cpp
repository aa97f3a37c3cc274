// SPDX-License-Identifier: MIT
#include "kernel/sampling/grid_sample.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The coordinate of element i. The outermost elements lie at -1 and 1, or half an element inside if not aligned.
template <class T>
T Coordinate(int64_t i, int64_t extent, bool align_corners) {
  if (extent <= 1) return T(0);
  const T step = T(2) / static_cast<T>(extent - 1);
  const T even = i < extent / 2 ? T(-1) + step * static_cast<T>(i) : T(1) - step * static_cast<T>(extent - 1 - i);
  return align_corners ? even : even * static_cast<T>(extent - 1) / static_cast<T>(extent);
}

}  // namespace

template <class T>
void AffineGrid(int64_t batch, int64_t dimensions, const Extents3& extents, bool align_corners, const T* theta,
                T* grid) {
  const auto [depth, height, width] = extents;
  const int64_t rows = depth * height;
  const int64_t terms = dimensions + 1;
  ParallelFor(batch * rows, GrainFor(width * dimensions * terms), [&, width = width](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      const T* matrix = theta + row / rows * dimensions * terms;
      T point[4] = {0, Coordinate<T>(row % extents[1], extents[1], align_corners), 0, 0};
      if (dimensions == 3) point[2] = Coordinate<T>(row / extents[1] % extents[0], extents[0], align_corners);
      point[dimensions] = T(1);
      for (int64_t w = 0; w < width; ++w) {
        point[0] = Coordinate<T>(w, width, align_corners);
        T* result = grid + (row * width + w) * dimensions;
        for (int64_t i = 0; i < dimensions; ++i) {
          result[i] = 0;
          for (int64_t j = 0; j < terms; ++j) result[i] += matrix[i * terms + j] * point[j];
        }
      }
    }
  });
}

template void AffineGrid<float>(int64_t, int64_t, const Extents3&, bool, const float*, float*);
template void AffineGrid<double>(int64_t, int64_t, const Extents3&, bool, const double*, double*);

}  // namespace kuiper_infer::kernel
