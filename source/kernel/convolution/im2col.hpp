// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shape/window_grid.hpp"

namespace kuiper_infer::kernel {

/// Both functions see windows as a matrix: a row for each channel and tap of the window (channel, kd, kh, kw, the last
/// fastest), a column for each window position (od, oh, ow). They handle the columns [first, last) only, so that a
/// large image needs no large matrix: `columns` holds channels * grid.taps() rows, `pitch` >= last - first elements
/// apart, whose first element is column `first`. `image` is row-major (channels, depth, height, width).
///
/// Im2Col copies the elements under the windows, zero where a window reaches into the padding. Rows are independent
/// and spread over threads.
template <class T>
void Im2Col(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const T* image, T* columns,
            int64_t pitch);

/// The transpose of Im2Col: adds each element of the matrix to the image element that it was taken from; elements of
/// the padding are dropped. Channels are independent and spread over threads.
template <class T>
void Col2Im(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const T* columns, int64_t pitch,
            T* image);

}  // namespace kuiper_infer::kernel
