// SPDX-License-Identifier: MIT
#pragma once

#include "shape/axis_geometry.hpp"

namespace kuiper_infer::kernel {

/// Computes mean and biased variance of each slice along the middle axis, over the outer and the inner axis. `input` is
/// row-major (outer, extent, inner); `mean` and `variance` have `extent` elements, which are NaN if slices are empty.
/// Sums are kept in double. Instantiated for float and double.
template <class T>
void BatchStatistics(const AxisGeometry& geometry, const T* input, T* mean, T* variance);

}  // namespace kuiper_infer::kernel
