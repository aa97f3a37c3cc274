// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

/// The extents that a reshape asks for: one -1 stands for what is left, and a 0 copies the input's extent at that index
/// where the input is not empty (ONNX's rule; PyTorch's zeros only occur with empty arrays). Throws Error(kShape) with
/// both shapes when the element counts differ or nothing can be inferred.
Shape ResolveShape(const Shape& input, const std::vector<int64_t>& wanted);

/// Strides under which the memory of `input` reads as `shape`, element after element in row-major order; nothing where
/// only a copy can do it. The element counts are equal.
std::optional<Strides> ReshapeStrides(const TensorSpec& input, const Shape& shape);

/// The shape with the axes first..last as one. Rank 0 becomes rank 1.
Shape FlattenShape(const Shape& shape, int64_t first, int64_t last);

}  // namespace kuiper_infer
