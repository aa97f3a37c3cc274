// SPDX-License-Identifier: MIT
#include "shape/broadcast.hpp"

#include <algorithm>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {

Shape BroadcastShapes(const Shape& a, const Shape& b) {
  Shape common(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < common.size(); ++i) {
    const int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int64_t right = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (left != right && left != 1 && right != 1) {
      throw Error(ErrorCode::kShape, "shapes " + ShapeString(a) + " and " + ShapeString(b) + " cannot be broadcast");
    }
    common[common.size() - 1 - i] = left == 1 ? right : left;
  }
  return common;
}

Strides BroadcastStrides(const TensorSpec& spec, const Shape& shape) {
  if (spec.shape.size() > shape.size() || BroadcastShapes(spec.shape, shape) != shape) {
    throw Error(ErrorCode::kShape, "shape " + ShapeString(spec.shape) + " cannot be expanded to " + ShapeString(shape));
  }
  Strides strides(shape.size(), 0);
  const std::size_t skip = shape.size() - spec.shape.size();
  for (std::size_t i = 0; i < spec.shape.size(); ++i) strides[skip + i] = spec.shape[i] == 1 ? 0 : spec.strides[i];
  return strides;
}

}  // namespace kuiper_infer
