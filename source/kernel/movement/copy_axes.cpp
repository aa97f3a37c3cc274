// SPDX-License-Identifier: MIT
#include "kernel/movement/copy_axes.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

namespace kuiper_infer::kernel {
namespace {

/// The axes of a copy: without axes of extent 1, ordered by the destination's stride (largest first), with neighbouring
/// axes merged.
AxisList SimplifyAxes(const TensorSpec& from, const TensorSpec& to) {
  AxisList axes;
  for (std::size_t i = 0; i < from.shape.size(); ++i) {
    if (from.shape[i] == 1) continue;
    axes.push_back({from.shape[i], from.strides[i], to.strides[i]});
    // Insertion keeps the order of equal strides, and needs no memory.
    for (Axis* axis = axes.end() - 1; axis != axes.begin() && std::abs(axis[-1].to) < std::abs(axis->to); --axis) {
      std::swap(axis[-1], *axis);
    }
  }
  AxisList merged;
  for (const Axis& axis : axes) {
    if (!merged.empty() && merged.back().from == axis.from * axis.extent && merged.back().to == axis.to * axis.extent) {
      merged.back() = {merged.back().extent * axis.extent, axis.from, axis.to};
    } else {
      merged.push_back(axis);
    }
  }
  return merged;
}

/// Moves the axis along which the source is read fastest next to the innermost one, so that tiles of the two use every
/// cache line of the source before it is gone.
AxisList PairFastAxes(AxisList axes) {
  if (axes.size() < 3 || std::abs(axes.back().from) <= 1) return axes;
  // A repeated element (stride 0) saves no cache line, so it comes last.
  const auto stride = [](const Axis& axis) {
    return axis.from == 0 ? std::numeric_limits<int64_t>::max() : std::abs(axis.from);
  };
  const auto nearer = [&](const Axis& a, const Axis& b) { return stride(a) < stride(b); };
  const auto fastest = std::min_element(axes.begin(), axes.end() - 1, nearer);
  std::rotate(fastest, fastest + 1, axes.end() - 1);
  return axes;
}

}  // namespace

AxisList OrderAxes(const TensorSpec& from, const TensorSpec& to) { return PairFastAxes(SimplifyAxes(from, to)); }

}  // namespace kuiper_infer::kernel
