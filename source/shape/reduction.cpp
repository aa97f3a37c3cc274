// SPDX-License-Identifier: MIT
#include "shape/reduction.hpp"

#include <algorithm>

namespace kuiper_infer {

Shape ReducedShape(const Shape& shape, const std::vector<int64_t>& axes, bool keep_axes) {
  Shape reduced;
  for (int64_t axis = 0; axis < static_cast<int64_t>(shape.size()); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) {
      reduced.push_back(shape[axis]);
    } else if (keep_axes) {
      reduced.push_back(1);
    }
  }
  return reduced;
}

}  // namespace kuiper_infer
