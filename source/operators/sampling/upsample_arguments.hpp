// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "kernel/sampling/resize.hpp"
#include "operation/parameters.hpp"

namespace kuiper_infer {

/// The arguments of a resizing operator.
struct UpsampleArguments {
  SpatialInput spatial;
  Shape extents;  ///< of the output's image
  /// Factors along the axes; set if coordinates follow given factors instead of the extents.
  std::vector<std::optional<double>> scales;
  kernel::ResizeMode mode = kernel::ResizeMode::kNearest;
  bool area = false;  ///< whether the result is means of windows, instead of `mode`
  bool align_corners = false;
};

/// Reads the arguments among input, size, scale_factor (or scales_d, scales_h, scales_w), mode, align_corners,
/// recompute_scale_factor and antialias that the operation has.
UpsampleArguments ReadUpsample(const Arguments& arguments);

}  // namespace kuiper_infer
