// SPDX-License-Identifier: MIT
#include "shape/reshape.hpp"

#include <string>

#include "kuiper_infer/utils/error.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {

Shape ResolveShape(const Shape& input, const std::vector<int64_t>& wanted) {
  const int64_t count = ElementCount(input);
  const auto fail = [&](const std::string& reason) {
    throw Error(ErrorCode::kShape, "an array of shape " + ShapeString(input) + " cannot be reshaped to " +
                                       NumbersString(wanted) + ": " + reason);
  };
  Shape shape = wanted;
  std::vector<std::size_t> unknown;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < -1) fail("extents must be at least -1");
    if (shape[i] == 0 && count != 0) {
      if (i >= input.size()) fail("there is no input extent to copy at index " + std::to_string(i));
      shape[i] = input[i];
    }
    if (shape[i] == -1) unknown.push_back(i);
  }
  // Files of models with dynamic sizes may leave several extents open: all but the last keep the input's extents.
  for (std::size_t k = 0; k + 1 < unknown.size(); ++k) {
    if (unknown[k] >= input.size()) fail("more than one extent is -1");
    shape[unknown[k]] = input[unknown[k]];
  }
  if (!unknown.empty()) {
    const std::size_t open = unknown.back();
    shape[open] = 1;
    const int64_t known = ElementCount(shape);
    if (known == 0) fail("-1 is ambiguous beside an extent of 0");
    if (count % known != 0) fail(std::to_string(count) + " elements are not a multiple of " + std::to_string(known));
    shape[open] = count / known;
  }
  if (ElementCount(shape) != count) {
    fail("found " + std::to_string(count) + " elements, expected " + std::to_string(ElementCount(shape)));
  }
  return shape;
}

std::optional<Strides> ReshapeStrides(const TensorSpec& input, const Shape& shape) {
  if (input.contiguous() || ElementCount(shape) <= 1) return RowMajorStrides(shape);
  Strides strides(shape.size(), 0);
  int64_t axis = input.rank() - 1;
  std::size_t target = shape.size();
  // From the back: each run of input axes that merge into one is handed out to the output axes that fill it.
  while (axis >= 0) {
    int64_t stride = input.strides[axis];
    int64_t run = input.shape[axis];
    while (axis > 0 && (run == 1 || input.shape[axis - 1] == 1 || input.strides[axis - 1] == run * stride)) {
      --axis;
      if (run == 1) stride = input.strides[axis];
      run *= input.shape[axis];
    }
    --axis;
    while (target > 0 && run % shape[target - 1] == 0 && (run > 1 || shape[target - 1] == 1)) {
      --target;
      strides[target] = stride;
      stride *= shape[target];
      run /= shape[target];
    }
    if (run > 1) return std::nullopt;
  }
  return strides;
}

Shape FlattenShape(const Shape& shape, int64_t first, int64_t last) {
  if (shape.empty()) return {1};
  if (first > last) {
    throw Error(ErrorCode::kShape, "cannot flatten axes " + std::to_string(first) + " to " + std::to_string(last) +
                                       " of " + ShapeString(shape) +
                                       ": expected the first axis not to come after the last");
  }
  Shape flat(shape.begin(), shape.begin() + first);
  flat.push_back(ElementCount(Shape(shape.begin() + first, shape.begin() + last + 1)));
  flat.insert(flat.end(), shape.begin() + last + 1, shape.end());
  return flat;
}

}  // namespace kuiper_infer
