// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer {

/// An array seen as (outer, extent, inner): row-major without gaps, `extent` is the axis that an operation works along.
struct AxisGeometry {
  int64_t outer = 1;
  int64_t extent = 1;
  int64_t inner = 1;

  int64_t size() const { return outer * extent * inner; }
};

}  // namespace kuiper_infer
