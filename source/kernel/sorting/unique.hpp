// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "shape/axis_geometry.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// Groups of equal slices. Each position of the middle axis of a row-major array of any DispatchReal type is a slice. A
/// slice that holds a NaN equals no other slice.
struct SliceGroups {
  std::vector<int64_t> first;     ///< for each group: a slice that belongs to it
  std::vector<int64_t> counts;    ///< for each group: how many slices belong to it
  std::vector<int64_t> group_of;  ///< for each slice: its group
};

/// Groups all equal slices. The groups are in the slices' lexicographic order, with NaN above all numbers; `first` is
/// the first slice of a group.
SliceGroups GroupSorted(const AxisGeometry& geometry, const ConstArrayView& input);

/// Groups only equal slices that are neighbours, in their order.
SliceGroups GroupNeighbours(const AxisGeometry& geometry, const ConstArrayView& input);

}  // namespace kuiper_infer::kernel
