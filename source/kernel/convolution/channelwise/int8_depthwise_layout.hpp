// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/product_kernel.hpp"

namespace kuiper_infer::kernel {

/// The integers of depthwise convolutions with square windows: panels of 64 channels, as those of int8/panels.hpp, in
/// which the taps of a column that lie in four neighbouring rows are side by side: (groups of four rows, taps of a row,
/// channels, 4), filled up with zeros, and behind that the sums of the channels' taps and their largest pairs, of taps
/// one below the other: those that are multiplied side by side for one row of windows or for the next.
const PackedLayout& LayoutInt8Depthwise(const ProductKernel& product);

/// Groups of rows of such a window.
int64_t QuadGroups(int64_t window_rows);

/// Bytes of the columns before the panel, or of all, filled up to whole vectors.
int64_t Int8DepthwiseBytes(int64_t columns, int64_t window_rows);

}  // namespace kuiper_infer::kernel
