// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer::kernel {

/// One axis of a copy.
struct Axis {
  int64_t extent;
  int64_t from;  ///< stride of the source
  int64_t to;    ///< stride of the destination
};

/// A list of axes that takes no memory from the heap, because every run copies arrays.
class AxisList {
 public:
  void push_back(const Axis& axis) {
    if (size_ == axes_.size()) throw Error(ErrorCode::kUnsupported, "an array to copy has more than 64 axes");
    axes_[size_++] = axis;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Axis& back() { return axes_[size_ - 1]; }
  const Axis& back() const { return axes_[size_ - 1]; }
  const Axis& operator[](std::size_t i) const { return axes_[i]; }
  Axis* begin() { return axes_.data(); }
  Axis* end() { return axes_.data() + size_; }
  const Axis* begin() const { return axes_.data(); }
  const Axis* end() const { return axes_.data() + size_; }

 private:
  std::array<Axis, 64> axes_;  // PyTorch's limit
  std::size_t size_ = 0;
};

/// Returns the axes of a copy in the order in which it goes through them, the innermost one last: without axes of
/// extent 1, ordered by the destination's stride (largest first), with neighbouring axes merged. If the source is read
/// fastest along another axis than the innermost one, this axis comes next to it, so that tiles of the two use every
/// cache line of the source before it is gone. Throws Error(kUnsupported) beyond 64 axes.
AxisList OrderAxes(const TensorSpec& from, const TensorSpec& to);

}  // namespace kuiper_infer::kernel
