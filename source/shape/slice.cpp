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

void Erase(StridedWindow& window, int64_t axis) {
  window.shape.erase(window.shape.begin() + axis);
  window.strides.erase(window.strides.begin() + axis);
}

}  // namespace

StridedWindow SelectAxis(StridedWindow window, int64_t axis, int64_t index) {
  const int64_t extent = window.shape[axis];
  Require(index >= -extent && index < extent, "index " + std::to_string(index) + " is out of range for axis " +
                                                  std::to_string(axis) + " of " + ShapeString(window.shape));
  window.offset += (index < 0 ? index + extent : index) * window.strides[axis];
  Erase(window, axis);
  return window;
}

StridedWindow SliceAxis(StridedWindow window, int64_t axis, std::optional<int64_t> start, std::optional<int64_t> end,
                        int64_t step) {
  Require(step != 0 && step != INT64_MIN, "slice step is " + std::to_string(step) + ", expected a non-zero step");
  const int64_t extent = window.shape[axis];
  // Walking backwards, positions end before the first element, at -1.
  const int64_t lowest = step > 0 ? 0 : -1;
  const int64_t highest = step > 0 ? extent : extent - 1;
  const auto clip = [&](int64_t bound) { return std::clamp(bound < 0 ? bound + extent : bound, lowest, highest); };
  const int64_t first = start ? clip(*start) : (step > 0 ? lowest : highest);
  const int64_t last = end ? clip(*end) : (step > 0 ? highest : lowest);
  const int64_t distance = std::max<int64_t>(0, step > 0 ? last - first : first - last);
  const int64_t stride = std::abs(step);
  window.shape[axis] = distance / stride + (distance % stride != 0 ? 1 : 0);
  if (window.shape[axis] > 0) window.offset += first * window.strides[axis];
  if (window.shape[axis] > 1) window.strides[axis] *= step;
  return window;
}

StridedWindow FlipAxis(StridedWindow window, int64_t axis) {
  return SliceAxis(std::move(window), axis, std::nullopt, std::nullopt, -1);
}

StridedWindow PermuteAxes(const StridedWindow& window, const std::vector<int64_t>& order) {
  StridedWindow permuted;
  permuted.offset = window.offset;
  std::vector<bool> taken(window.shape.size(), false);
  for (const int64_t axis : order) {
    const bool fits = axis >= 0 && axis < window.rank() && !taken[axis];
    Require(fits && order.size() == window.shape.size(),
            "the axes " + ShapeString(order) + " are no permutation of " + std::to_string(window.rank()) + " axes");
    taken[axis] = true;
    permuted.shape.push_back(window.shape[axis]);
    permuted.strides.push_back(window.strides[axis]);
  }
  Require(order.size() == window.shape.size(), "no axes are given to permute " + ShapeString(window.shape));
  return permuted;
}

StridedWindow InsertAxis(StridedWindow window, int64_t axis, int64_t extent) {
  window.shape.insert(window.shape.begin() + axis, extent);
  window.strides.insert(window.strides.begin() + axis, 0);
  return window;
}

StridedWindow DropAxis(StridedWindow window, int64_t axis) {
  Require(window.shape[axis] == 1, "axis " + std::to_string(axis) + " of " + ShapeString(window.shape) +
                                       " cannot be dropped, expected extent 1");
  Erase(window, axis);
  return window;
}

StridedWindow TakeDiagonal(const StridedWindow& window, int64_t offset, int64_t axis1, int64_t axis2) {
  Require(axis1 != axis2, "a diagonal needs two different axes, found axis " + std::to_string(axis1) + " twice");
  // Bounded, so that the differences below cannot overflow.
  const int64_t rows = window.shape[axis1];
  const int64_t columns = window.shape[axis2];
  const int64_t shift = std::clamp(offset, -rows, columns);
  StridedWindow diagonal = window;
  const int64_t count =
      std::max<int64_t>(0, shift >= 0 ? std::min(rows, columns - shift) : std::min(rows + shift, columns));
  if (count > 0) diagonal.offset += shift >= 0 ? shift * window.strides[axis2] : -shift * window.strides[axis1];
  const int64_t stride = window.strides[axis1] + window.strides[axis2];
  Erase(diagonal, std::max(axis1, axis2));
  Erase(diagonal, std::min(axis1, axis2));
  diagonal.shape.push_back(count);
  diagonal.strides.push_back(stride);
  return diagonal;
}

StridedWindow UnfoldAxis(StridedWindow window, int64_t axis, int64_t size, int64_t step) {
  Require(size >= 0 && size <= window.shape[axis] && step > 0,
          "windows of " + std::to_string(size) + " elements, " + std::to_string(step) + " apart, don't fit axis " +
              std::to_string(axis) + " of " + ShapeString(window.shape));
  const int64_t stride = window.strides[axis];
  window.shape[axis] = (window.shape[axis] - size) / step + 1;
  if (window.shape[axis] > 1) window.strides[axis] *= step;
  window.shape.push_back(size);
  window.strides.push_back(stride);
  return window;
}

}  // namespace kuiper_infer
