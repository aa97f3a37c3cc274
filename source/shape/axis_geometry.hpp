// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

/// A row-major array without gaps, seen as three axes (outer, extent, inner). An operation works along the middle one.
struct AxisGeometry {
  int64_t outer = 1;
  int64_t extent = 1;
  int64_t inner = 1;

  int64_t size() const { return outer * extent * inner; }
};

/// A row-major array as lines along one axis. Rank 0 is one line of one element.
inline AxisGeometry LineGeometry(const Shape& shape, int64_t axis) {
  AxisGeometry geometry;
  if (shape.empty()) return geometry;
  geometry.outer = ElementCount(Shape(shape.begin(), shape.begin() + axis));
  geometry.extent = shape[axis];
  geometry.inner = ElementCount(Shape(shape.begin() + axis + 1, shape.end()));
  return geometry;
}

}  // namespace kuiper_infer
