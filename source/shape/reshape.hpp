// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

/// The extents that a reshape asks for. One -1 stands for the extent that follows from the others. If the input is not
/// empty, a 0 copies the input's extent at that index (ONNX's rule; in PyTorch zeros occur only with empty arrays).
/// Throws Error(kShape) that names both shapes if the numbers of elements differ or the -1 cannot be inferred.
Shape ResolveShape(const Shape& input, const std::vector<int64_t>& wanted);

/// The strides under which the memory of `input` reads as `shape`, with the elements in the same row-major order;
/// nothing if that needs a copy. Both shapes have as many elements.
std::optional<Strides> ReshapeStrides(const TensorSpec& input, const Shape& shape);

/// The shape with the axes first..last merged into one. Rank 0 becomes rank 1.
Shape FlattenShape(const Shape& shape, int64_t first, int64_t last);

}  // namespace kuiper_infer
