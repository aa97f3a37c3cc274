// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "kernel/sampling/resize.hpp"
#include "operation/parameters.hpp"

namespace kuiper_infer {

/// What a resizing operator asks for.
struct UpsampleArguments {
  SpatialInput spatial;
  Shape extents;  ///< of the output's image
  /// Where coordinates follow a given scale rather than the extents.
  std::vector<std::optional<double>> scales;
  kernel::ResizeMode mode = kernel::ResizeMode::kNearest;
  bool area = false;  ///< means of windows, in place of `mode`
  bool align_corners = false;
};

/// Reads input, size, scale_factor (or scales_d, scales_h, scales_w), mode, align_corners, recompute_scale_factor and
/// antialias, as far as the operation has them.
UpsampleArguments ReadUpsample(const Arguments& arguments);

}  // namespace kuiper_infer
