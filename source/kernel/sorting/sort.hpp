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

/// The element of a line that is selected.
enum class Rank {
  kSmallest,   ///< number k of the ascending line, counted from 0
  kMedian,     ///< the lower of the two elements in the middle; the first NaN if there is one
  kNanMedian,  ///< the median of all numbers but NaN; NaN if there are no other numbers
  kMode,       ///< the most frequent value, or the smallest of several; the position of its last occurrence
};

/// Selects one element of each line and its position: arrays (outer, inner). The lines are not empty.
void PickAlong(Rank rank, const AxisGeometry& geometry, int64_t k, const ConstArrayView& input, int64_t* scratch,
               void* values, int64_t* positions);

}  // namespace kuiper_infer::kernel
