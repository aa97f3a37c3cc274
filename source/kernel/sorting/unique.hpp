// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "shape/axis_geometry.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// Which slices are equal: a slice lies at each position of the middle axis of a row-major array of any DispatchReal
/// type. Group g consists of equal slices; a slice that holds a NaN equals no other one.
struct SliceGroups {
  std::vector<int64_t> first;     ///< for each group: a slice that belongs to it
  std::vector<int64_t> counts;    ///< for each group: how many slices belong to it
  std::vector<int64_t> group_of;  ///< for each slice: its group
};

/// Groups in the slices' lexicographic order, NaN above all numbers; the first slice of a group represents it.
SliceGroups GroupSorted(const AxisGeometry& geometry, const ConstArrayView& input);

/// Groups of slices that lie next to each other, in the order in which they lie.
SliceGroups GroupNeighbours(const AxisGeometry& geometry, const ConstArrayView& input);

}  // namespace kuiper_infer::kernel
