// SPDX-License-Identifier: MIT
#include "kernel/indexing/positions.hpp"

#include <algorithm>

namespace kuiper_infer::kernel {

void FirstPositions(const Shape& shape, const bool* flags, int64_t size, int64_t fill, int64_t* positions) {
  const auto axes = static_cast<int64_t>(shape.size());
  const int64_t count = ElementCount(shape);
  int64_t found = 0;
  for (int64_t i = 0; i < count && found < size; ++i) {
    if (!flags[i]) continue;
    int64_t rest = i;
    for (int64_t axis = axes; axis-- > 0;) {
      positions[found * axes + axis] = rest % shape[static_cast<std::size_t>(axis)];
      rest /= shape[static_cast<std::size_t>(axis)];
    }
    ++found;
  }
  std::fill(positions + found * axes, positions + size * axes, fill);
}

}  // namespace kuiper_infer::kernel
