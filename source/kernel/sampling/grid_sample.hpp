// SPDX-License-Identifier: MIT
#pragma once

#include "shape/window_grid.hpp"

namespace kuiper_infer::kernel {

/// The interpolation between the elements of an image (PyTorch's names and numbers).
enum class GridMode { kBilinear, kNearest, kBicubic };

/// The numbers outside of the image: zeros, the border element, or the image mirrored at its border.
enum class GridBorder { kZeros, kBorder, kReflection };

struct GridSampleGeometry {
  GridMode mode = GridMode::kBilinear;
  GridBorder border = GridBorder::kZeros;
  /// Whether -1 and 1 are the centres of the outermost elements, otherwise their outer edges.
  bool align_corners = false;
  int64_t batch = 1;
  int64_t channels = 1;
  /// The number of coordinates of a point: 2 or 3 (3 not with kBicubic).
  int64_t dimensions = 2;
  /// Extents of the image, at least 1 each; depth 1 with two coordinates.
  Extents3 image{1, 1, 1};
  /// The number of points at which an image of the batch is sampled.
  int64_t points = 0;
};

/// output[n, c, p] = image (n, c) at the point grid[n, p], whose coordinates (x, y and, with three, z) run from -1 to 1
/// over the width, height and depth. Row-major arrays without gaps: input (batch, channels, image), grid (batch,
/// points, dimensions), output (batch, channels, points); the output must not overlap the other arrays. Any coordinate
/// is allowed, even NaN and infinity. Instantiated for float and double.
template <class T>
void GridSample(const GridSampleGeometry& geometry, const T* input, const T* grid, T* output);

/// grid[n, d, h, w] = theta[n] * (x, y, z, 1) for every element of an image of these extents, the coordinates being
/// those of GridSample. theta is (batch, dimensions, dimensions + 1), the grid (batch, extents, dimensions), both
/// row-major; with two dimensions z is left out and depth is 1. Instantiated for float and double.
template <class T>
void AffineGrid(int64_t batch, int64_t dimensions, const Extents3& extents, bool align_corners, const T* theta,
                T* grid);

}  // namespace kuiper_infer::kernel
