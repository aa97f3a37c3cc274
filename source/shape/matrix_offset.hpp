// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "utils/array_view.hpp"

namespace kuiper_infer {

/// The offset of matrix `index` in elements. The last two axes are matrices, and the leading axes count them in
/// row-major order; strides may be 0 along broadcast axes.
inline int64_t MatrixOffset(const TensorSpec& spec, int64_t index) {
  int64_t offset = 0;
  for (std::size_t axis = spec.shape.size() - 2; axis-- > 0;) {
    offset += index % spec.shape[axis] * spec.strides[axis];
    index /= spec.shape[axis];
  }
  return offset;
}

/// The address of element `more` of matrix `index` (see MatrixOffset). If the array has no elements and is null, the
/// result is null, too.
template <class T>
T* MatrixAt(T* elements, const TensorSpec& spec, int64_t index, int64_t more = 0) {
  return elements == nullptr ? nullptr : elements + MatrixOffset(spec, index) + more;
}

}  // namespace kuiper_infer
