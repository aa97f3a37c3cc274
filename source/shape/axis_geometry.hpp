// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer {

/// A row-major array without gaps, seen as three axes (outer, extent, inner). An operation works along the middle one.
struct AxisGeometry {
  int64_t outer = 1;
  int64_t extent = 1;
  int64_t inner = 1;

  int64_t size() const { return outer * extent * inner; }
};

}  // namespace kuiper_infer
