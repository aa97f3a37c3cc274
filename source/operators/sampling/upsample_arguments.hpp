// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "data/memory_budget.hpp"
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

/// Makes the taps and weights of `mode` for each position along depth, height and width, for elements of type T. An
/// axis that the image lacks has one position of one tap. Throws Error(kResource) if memory could not hold them.
template <class T>
std::array<kernel::ResizeAxis<T>, 3> MakeResizeAxes(const UpsampleArguments& read) {
  std::array<kernel::ResizeAxis<T>, 3> axes;
  const std::size_t lead = 3 - read.extents.size();
  for (std::size_t axis = 0; axis < read.extents.size(); ++axis) {
    constexpr int64_t kTaps = 4;  // antialiasing has more if it shrinks the image, which is in memory already
    RequireMemory(read.extents[axis], kTaps * (sizeof(int64_t) + sizeof(T)));
    axes[lead + axis] = kernel::MakeResizeAxis<T>(read.mode, read.spatial.image[axis], read.extents[axis],
                                                  read.scales[axis], read.align_corners);
  }
  return axes;
}

}  // namespace kuiper_infer
