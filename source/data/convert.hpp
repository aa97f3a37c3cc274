// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "kuiper_infer/data/ndarray.hpp"
#include "kuiper_infer/data/tensor.hpp"

namespace kuiper_infer {

// The one place that converts between tensors (cube order) and arrays (row-major).

/// Strides of an array of this shape that lies in cube order: the last two axes swapped in memory.
Strides CubeStrides(const Shape& shape);

/// Stacks tensors along a new axis 0 into an array (tensors.size(), element_shape...). Throws Error(kShape) when a
/// tensor is null or has another number of elements than element_shape.
NdArray NdArrayFromTensors(const std::vector<std::shared_ptr<Tensor<float>>>& tensors, const Shape& element_shape,
                           RuntimeDataType type);

/// One tensor per element along axis 0 (a single one for ranks 0 and 1). Tensors that exist must have the right shape;
/// null and empty ones are allocated. Throws Error(kShape) with both shapes.
void NdArrayToTensors(const NdArray& array, std::vector<std::shared_ptr<Tensor<float>>>& tensors);

}  // namespace kuiper_infer
