// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// Elements in front of matrix `index`, where the last two axes are matrices and the leading ones count them row-major;
/// strides may be 0 along broadcast axes.
inline int64_t MatrixOffset(const TensorSpec& spec, int64_t index) {
  int64_t offset = 0;
  for (std::size_t axis = spec.shape.size() - 2; axis-- > 0;) {
    offset += index % spec.shape[axis] * spec.strides[axis];
    index /= spec.shape[axis];
  }
  return offset;
}

}  // namespace kuiper_infer::kernel
