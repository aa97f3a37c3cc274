// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shape/window_grid.hpp"

namespace kuiper_infer::kernel {

/// Pooling to a given size: output o of an axis covers the input elements [floor(o * in / out), ceil((o + 1) * in /
/// out)), so that windows differ in length by at most one and may overlap. `planes` independent images; input (planes,
/// image), output (planes, positions), row-major without gaps; the arrays must not overlap.

/// Means of the elements under each window, summed in double. Instantiated for float and double.
template <class T>
void AdaptiveAveragePool(const Extents3& image, const Extents3& positions, int64_t planes, const T* input, T* output);

/// Maxima of the elements under each window; NaN wins. With `indices` (not null) also their row-major offsets in the
/// input plane. Instantiated for float and double.
template <class T>
void AdaptiveMaxPool(const Extents3& image, const Extents3& positions, int64_t planes, const T* input, T* output,
                     int64_t* indices);

}  // namespace kuiper_infer::kernel
