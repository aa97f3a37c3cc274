// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "kuiper_infer/data/ndarray.hpp"
#include "kuiper_infer/data/tensor.hpp"

namespace kuiper_infer {

// Only this file converts between tensors (cube order) and arrays (row-major).

/// The strides of an array of this shape in cube order, in which the last two axes are swapped in memory.
Strides CubeStrides(const Shape& shape);

/// Stacks tensors along a new axis 0 into an array (tensors.size(), element_shape...). Throws Error(kShape) if a tensor
/// is null or has another number of elements than element_shape.
NdArray NdArrayFromTensors(const std::vector<std::shared_ptr<Tensor<float>>>& tensors, const Shape& element_shape,
                           RuntimeDataType type);

/// Writes an array into tensors: one for each element along axis 0, or a single one for ranks 0 and 1. Null and empty
/// tensors are allocated. Throws Error(kShape) that names both shapes if an existing tensor has the wrong shape.
void NdArrayToTensors(const NdArray& array, std::vector<std::shared_ptr<Tensor<float>>>& tensors);

}  // namespace kuiper_infer
