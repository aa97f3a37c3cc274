// SPDX-License-Identifier: MIT
#pragma once

#include "shape/axis_geometry.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// Sorting along the middle axis of a row-major array of any DispatchReal type. NaN counts as larger than all numbers;
/// equal elements keep their order. Scratch memory: one int64 for every element of the input.

/// Gives the first `count` elements of each sorted line and their positions in it, as arrays (outer, count, inner).
/// Either output may be null.
void SortAlong(bool descending, const AxisGeometry& geometry, int64_t count, const ConstArrayView& input,
               int64_t* scratch, void* values, int64_t* positions);

/// Which one of a line's elements is wanted.
enum class Rank {
  kSmallest,   ///< number k of the ascending line, counted from 0
  kMedian,     ///< the lower of the two in the middle; the first NaN where there is one
  kNanMedian,  ///< the median of what is no NaN; NaN where nothing else is there
  kMode,       ///< the most frequent value, the smallest of those; the position of its last occurrence
};

/// Gives one element of each line and its position: arrays (outer, inner). The lines are not empty.
void PickAlong(Rank rank, const AxisGeometry& geometry, int64_t k, const ConstArrayView& input, int64_t* scratch,
               void* values, int64_t* positions);

}  // namespace kuiper_infer::kernel
