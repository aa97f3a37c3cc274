// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shape/window_grid.hpp"

namespace kuiper_infer::kernel {

/// All functions here take `planes` independent images (batch times channels), input (planes, grid.image), output
/// (planes, grid.positions), row-major without gaps; the arrays must not overlap. Padding never wins a maximum and adds
/// nothing to a sum.

/// Finds the largest element under each window; NaN wins. If `indices` is not null, it gets the element's row-major
/// offset in its input plane; of equal elements the first one counts. Instantiated for float, double and the integer
/// types.
template <class T>
void MaxPool(const WindowGrid& grid, int64_t planes, const T* input, T* output, int64_t* indices);

/// The divisor of an average.
struct AverageDivisor {
  /// Whether the elements of the window on the padding count, in addition to those on the image.
  bool count_padding = true;
  /// A fixed divisor; 0: the number of elements that count.
  int64_t fixed = 0;

  /// The number of elements of an axis that count at one position; the divisor is the product over the axes.
  int64_t AxisPart(const Window& window, int64_t extent, int64_t position) const;
};

/// Computes the mean of the elements under each window. Windows have dilation 1. Instantiated for float and double.
template <class T>
void AveragePool(const WindowGrid& grid, const AverageDivisor& divisor, int64_t planes, const T* input, T* output);

/// Computes the p-norm of the elements under each window: (sum of x^p)^(1/p), the sum being the mean over the window's
/// elements times the size of a full window. `powers` is scratch of the input's size. Instantiated for float and
/// double.
template <class T>
void LpPool(const WindowGrid& grid, double p, int64_t planes, const T* input, T* powers, T* output);

}  // namespace kuiper_infer::kernel
