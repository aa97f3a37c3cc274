// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shape/axis_geometry.hpp"

namespace kuiper_infer::kernel {

/// Sets positions[i] to the number of elements of `sorted` that are less than values[i] or, if `right`, not greater
/// than it. `order` lists the elements of `sorted` in ascending order; null means that they are ascending already.
template <class T>
void SearchSorted(const T* sorted, const int64_t* order, int64_t length, const T* values, int64_t count, bool right,
                  int64_t* positions);

enum class QuantileRule { kLinear, kLower, kHigher, kMidpoint, kNearest };

/// Finds the quantiles q[0..count) of every line along the geometry's axis, whose numbers are ascending with NaN last.
/// `out` is (count, outer, inner). A line with a NaN gives NaN; if `skip_nan`, NaN is left out instead.
template <class T>
void Quantiles(const AxisGeometry& geometry, const T* sorted, const T* q, int64_t count, QuantileRule rule,
               bool skip_nan, T* out);

}  // namespace kuiper_infer::kernel
