// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

/// The common shape of two arrays by PyTorch's rules: shapes are aligned at the last axis, and extents of 1 are
/// repeated. Throws Error(kShape) that names both shapes if there is none.
Shape BroadcastShapes(const Shape& a, const Shape& b);

/// The strides under which an array of this spec reads as an array of `shape`; they are 0 along repeated axes. Throws
/// Error(kShape) if it cannot be read so.
Strides BroadcastStrides(const TensorSpec& spec, const Shape& shape);

}  // namespace kuiper_infer
