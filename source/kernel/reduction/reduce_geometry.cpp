// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>

#include "kernel/reduction/reduce.hpp"

namespace kuiper_infer::kernel {
namespace {

void AppendAxis(std::vector<ReductionAxis>& axes, int64_t extent, int64_t stride) {
  if (extent == 1) return;
  if (!axes.empty() && axes.back().stride == stride * extent) {
    axes.back() = {axes.back().extent * extent, stride};
  } else {
    axes.push_back({extent, stride});
  }
}

}  // namespace

ReductionGeometry MakeReductionGeometry(const TensorSpec& input, const std::vector<int64_t>& axes, bool any_order) {
  ReductionGeometry geometry;
  std::vector<ReductionAxis> reduced;
  for (int64_t axis = 0; axis < input.rank(); ++axis) {
    const int64_t extent = input.shape[axis];
    if (std::find(axes.begin(), axes.end(), axis) != axes.end()) {
      reduced.push_back({extent, input.strides[axis]});
      geometry.count *= extent;
    } else {
      AppendAxis(geometry.kept, extent, input.strides[axis]);
      geometry.outputs *= extent;
    }
  }
  if (any_order) {
    std::stable_sort(reduced.begin(), reduced.end(), [](const ReductionAxis& a, const ReductionAxis& b) {
      return std::abs(a.stride) > std::abs(b.stride);
    });
  }
  for (const ReductionAxis& axis : reduced) AppendAxis(geometry.reduced, axis.extent, axis.stride);
  return geometry;
}

int64_t LocateAlong(const std::vector<ReductionAxis>& axes, std::size_t count, int64_t index) {
  int64_t offset = 0;
  for (std::size_t i = count; i-- > 0;) {
    offset += index % axes[i].extent * axes[i].stride;
    index /= axes[i].extent;
  }
  return offset;
}

}  // namespace kuiper_infer::kernel
