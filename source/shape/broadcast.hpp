// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

/// The common shape of two arrays by PyTorch's rules: aligned at the last axis, extents of 1 are repeated. Throws
/// Error(kShape) with both shapes.
Shape BroadcastShapes(const Shape& a, const Shape& b);

/// Strides under which an array of this spec reads as one of `shape`: 0 along repeated axes. Throws Error(kShape).
Strides BroadcastStrides(const TensorSpec& spec, const Shape& shape);

}  // namespace kuiper_infer
