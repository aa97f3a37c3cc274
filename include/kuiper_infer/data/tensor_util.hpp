// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "tensor.hpp"

namespace kuiper_infer {

/// New zero tensors.
sftensor TensorCreate(uint32_t size);
sftensor TensorCreate(uint32_t rows, uint32_t cols);
sftensor TensorCreate(uint32_t channels, uint32_t rows, uint32_t cols);
sftensor TensorCreate(const std::vector<uint32_t>& shapes);

sftensor TensorClone(const sftensor& tensor);

/// Both tensors with one shape: extents of 1 (of channels, rows or columns) are repeated. A tensor that has the common
/// shape already is returned itself. Throws Error(kShape) with both shapes when they don't fit.
std::pair<sftensor, sftensor> TensorBroadcast(const sftensor& tensor1, const sftensor& tensor2);

/// Element-wise, with broadcasting. The forms with an output fill it; it must have the common shape.
sftensor TensorElementAdd(const sftensor& tensor1, const sftensor& tensor2);
void TensorElementAdd(const sftensor& tensor1, const sftensor& tensor2, const sftensor& output);
sftensor TensorElementMultiply(const sftensor& tensor1, const sftensor& tensor2);
void TensorElementMultiply(const sftensor& tensor1, const sftensor& tensor2, const sftensor& output);
sftensor TensorElementSin(const sftensor& tensor);
void TensorElementSin(const sftensor& tensor, const sftensor& output);

/// A new tensor, each matrix grown by {up, bottom, left, right}.
sftensor TensorPadding(const sftensor& tensor, const std::vector<uint32_t>& pads, float padding_value);

/// Same shape and no element that differs by more than the threshold.
bool TensorIsSame(const sftensor& tensor1, const sftensor& tensor2, float threshold = 1e-5F);

}  // namespace kuiper_infer
