// SPDX-License-Identifier: MIT
#include "shape/slice.hpp"

#include <algorithm>
#include <string>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

void Require(bool condition, const std::string& text) {
  if (!condition) throw Error(ErrorCode::kShape, text);
}

void Erase(StridedView& view, int64_t axis) {
  view.shape.erase(view.shape.begin() + axis);
  view.strides.erase(view.strides.begin() + axis);
}

}  // namespace

StridedView SelectAxis(StridedView view, int64_t axis, int64_t index) {
  const int64_t extent = view.shape[axis];
  Require(index >= -extent && index < extent, "index " + std::to_string(index) + " is out of range for axis " +
                                                  std::to_string(axis) + " of " + ShapeString(view.shape));
  view.offset += (index < 0 ? index + extent : index) * view.strides[axis];
  Erase(view, axis);
  return view;
}

StridedView SliceAxis(StridedView view, int64_t axis, std::optional<int64_t> start, std::optional<int64_t> end,
                      int64_t step) {
  Require(step != 0 && step != INT64_MIN, "slice step is " + std::to_string(step) + ", expected a non-zero step");
  const int64_t extent = view.shape[axis];
  // Walking backwards, positions end before the first element, at -1.
  const int64_t lowest = step > 0 ? 0 : -1;
  const int64_t highest = step > 0 ? extent : extent - 1;
  const auto clip = [&](int64_t bound) { return std::clamp(bound < 0 ? bound + extent : bound, lowest, highest); };
  const int64_t first = start ? clip(*start) : (step > 0 ? lowest : highest);
  const int64_t last = end ? clip(*end) : (step > 0 ? highest : lowest);
  const int64_t distance = std::max<int64_t>(0, step > 0 ? last - first : first - last);
  const int64_t stride = std::abs(step);
  view.shape[axis] = distance / stride + (distance % stride != 0 ? 1 : 0);
  if (view.shape[axis] > 0) view.offset += first * view.strides[axis];
  if (view.shape[axis] > 1) view.strides[axis] *= step;
  return view;
}

StridedView FlipAxis(StridedView view, int64_t axis) {
  return SliceAxis(std::move(view), axis, std::nullopt, std::nullopt, -1);
}

StridedView PermuteAxes(const StridedView& view, const std::vector<int64_t>& order) {
  StridedView permuted;
  permuted.offset = view.offset;
  std::vector<bool> taken(view.shape.size(), false);
  for (const int64_t axis : order) {
    const bool fits = axis >= 0 && axis < view.rank() && !taken[axis];
    Require(fits && order.size() == view.shape.size(),
            "the axes " + ShapeString(order) + " are not a permutation of " + std::to_string(view.rank()) + " axes");
    taken[axis] = true;
    permuted.shape.push_back(view.shape[axis]);
    permuted.strides.push_back(view.strides[axis]);
  }
  Require(order.size() == view.shape.size(), "no axes are given to permute " + ShapeString(view.shape));
  return permuted;
}

StridedView InsertAxis(StridedView view, int64_t axis, int64_t extent) {
  view.shape.insert(view.shape.begin() + axis, extent);
  view.strides.insert(view.strides.begin() + axis, 0);
  return view;
}

StridedView DropAxis(StridedView view, int64_t axis) {
  Require(view.shape[axis] == 1,
          "axis " + std::to_string(axis) + " of " + ShapeString(view.shape) + " cannot be dropped, expected extent 1");
  Erase(view, axis);
  return view;
}

StridedView TakeDiagonal(const StridedView& view, int64_t offset, int64_t axis1, int64_t axis2) {
  Require(axis1 != axis2, "a diagonal needs two different axes, found axis " + std::to_string(axis1) + " twice");
  // Bounded, so that the differences below cannot overflow.
  const int64_t rows = view.shape[axis1];
  const int64_t columns = view.shape[axis2];
  const int64_t shift = std::clamp(offset, -rows, columns);
  StridedView diagonal = view;
  const int64_t count =
      std::max<int64_t>(0, shift >= 0 ? std::min(rows, columns - shift) : std::min(rows + shift, columns));
  if (count > 0) diagonal.offset += shift >= 0 ? shift * view.strides[axis2] : -shift * view.strides[axis1];
  const int64_t stride = view.strides[axis1] + view.strides[axis2];
  Erase(diagonal, std::max(axis1, axis2));
  Erase(diagonal, std::min(axis1, axis2));
  diagonal.shape.push_back(count);
  diagonal.strides.push_back(stride);
  return diagonal;
}

StridedView UnfoldAxis(StridedView view, int64_t axis, int64_t size, int64_t step) {
  Require(size >= 0 && size <= view.shape[axis] && step > 0,
          "windows of " + std::to_string(size) + " elements, " + std::to_string(step) + " apart, don't fit axis " +
              std::to_string(axis) + " of " + ShapeString(view.shape));
  const int64_t stride = view.strides[axis];
  view.shape[axis] = (view.shape[axis] - size) / step + 1;
  if (view.shape[axis] > 1) view.strides[axis] *= step;
  view.shape.push_back(size);
  view.strides.push_back(stride);
  return view;
}

}  // namespace kuiper_infer
