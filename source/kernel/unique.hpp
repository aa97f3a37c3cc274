// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernel/axis_geometry.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// Which slices along an axis are equal. Group g consists of equal slices.
struct SliceGroups {
  std::vector<int64_t> first;     ///< for each group: a slice that belongs to it
  std::vector<int64_t> counts;    ///< for each group: how many slices belong to it
  std::vector<int64_t> group_of;  ///< for each slice: its group
};

/// The slices at each position of the middle axis of a row-major array of any DispatchReal type. A slice that holds a
/// NaN equals no other one.

/// Groups in the slices' lexicographic order, NaN above all numbers; the first slice of a group represents it.
SliceGroups GroupSorted(const AxisGeometry& geometry, const ConstArrayView& input);

/// Groups of neighbours in the order in which they lie.
SliceGroups GroupNeighbours(const AxisGeometry& geometry, const ConstArrayView& input);

}  // namespace kuiper_infer::kernel
