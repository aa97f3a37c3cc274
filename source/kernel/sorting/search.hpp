// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shape/axis_geometry.hpp"

namespace kuiper_infer::kernel {

/// Sets positions[i] to how many elements of the ascending `sorted` lie before values[i]: those less than it or, with
/// `right`, those not greater. `order` (null: already sorted) lists the elements of `sorted` in ascending order.
template <class T>
void SearchSorted(const T* sorted, const int64_t* order, int64_t length, const T* values, int64_t count, bool right,
                  int64_t* positions);

enum class QuantileRule { kLinear, kLower, kHigher, kMidpoint, kNearest };

/// Finds the quantiles q[0..count) of every line of ascending numbers along the geometry's axis, NaN last: out is
/// (count, outer, inner). A line with a NaN gives NaN, or leaves it out with `skip_nan`.
template <class T>
void Quantiles(const AxisGeometry& geometry, const T* sorted, const T* q, int64_t count, QuantileRule rule,
               bool skip_nan, T* out);

}  // namespace kuiper_infer::kernel
