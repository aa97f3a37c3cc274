// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

/// A view of an array: extents, strides, and the offset of its first element from the array's first element, in
/// elements. Operators that only move axes or leave elements out give views, not copies.
struct StridedView {
  Shape shape;
  Strides strides;
  int64_t offset = 0;

  StridedView() = default;
  explicit StridedView(const TensorSpec& spec) : shape(spec.shape), strides(spec.strides) {}

  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
};

/// Axes are counted from 0 and must exist. Everything else is checked; faults throw Error(kShape).

/// The view with `axis` fixed at `index` and dropped. A negative index counts from the end.
StridedView SelectAxis(StridedView view, int64_t axis, int64_t index);

/// The elements of Python's `start:end:step` along an axis. An absent bound is the end of the axis, a negative one
/// counts from the end, and a bound beyond the axis is clipped. A negative step goes backwards.
StridedView SliceAxis(StridedView view, int64_t axis, std::optional<int64_t> start, std::optional<int64_t> end,
                      int64_t step);

/// The view with an axis reversed: its last element first.
StridedView FlipAxis(StridedView view, int64_t axis);

/// The view with its axes reordered: axis i of the result is axis order[i] of `view`; `order` is a permutation.
StridedView PermuteAxes(const StridedView& view, const std::vector<int64_t>& order);

/// The view with a new axis before the present axis `axis`, along which the elements repeat.
StridedView InsertAxis(StridedView view, int64_t axis, int64_t extent = 1);

/// The view without an axis of extent 1.
StridedView DropAxis(StridedView view, int64_t axis);

/// The elements (i, i + offset) of two different axes as a new last axis; the two are dropped.
StridedView TakeDiagonal(const StridedView& view, int64_t offset, int64_t axis1, int64_t axis2);

/// Windows of `size` elements, `step` apart, along an axis: their elements become a new last axis.
StridedView UnfoldAxis(StridedView view, int64_t axis, int64_t size, int64_t step);

}  // namespace kuiper_infer
