// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/product_kernel.hpp"

namespace kuiper_infer::kernel {

/// The packed layout of int8 depthwise convolutions with square windows. A panel holds 64 channels, as panels of
/// int8/panels.hpp hold 64 columns: (groups of four window rows, taps of a row, channels, 4), filled up with zeros. The
/// four taps that lie one below the other form a quad. Behind the taps come two integers for each channel: the sum of
/// its taps, and the largest sum of two taps that a dot product adds as a pair, for one row of windows or for the next.
const PackedLayout& LayoutInt8Depthwise(const ProductKernel& product);

/// The number of groups of four rows in a window of `window_rows` rows.
int64_t QuadGroups(int64_t window_rows);

/// The bytes that `columns` channels take in the packed layout, filled up to whole vectors: the place of the panel that
/// begins with channel `columns`, or the size of all panels.
int64_t Int8DepthwiseBytes(int64_t columns, int64_t window_rows);

}  // namespace kuiper_infer::kernel
