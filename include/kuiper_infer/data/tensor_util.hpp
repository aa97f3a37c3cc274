// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "tensor.hpp"

namespace kuiper_infer {

// Functions for tensors of float, double, int32_t and uint8_t. They throw Error(kInput) on a null tensor.

/// New zero tensors: TensorCreate(3, 32, 32) of float, TensorCreate<uint8_t>(3, 32, 32) of another type.
template <class T = float>
stensor<T> TensorCreate(uint32_t size) {
  return std::make_shared<Tensor<T>>(size);
}
template <class T = float>
stensor<T> TensorCreate(uint32_t rows, uint32_t cols) {
  return std::make_shared<Tensor<T>>(rows, cols);
}
template <class T = float>
stensor<T> TensorCreate(uint32_t channels, uint32_t rows, uint32_t cols) {
  return std::make_shared<Tensor<T>>(channels, rows, cols);
}
template <class T = float>
stensor<T> TensorCreate(const std::vector<uint32_t>& shapes) {
  return std::make_shared<Tensor<T>>(shapes);
}

/// A copy with memory of its own.
template <class T>
stensor<T> TensorClone(const stensor<T>& tensor);

/// Both tensors in a common shape: extents of 1 (of channels, rows or columns) are repeated. If a tensor has the common
/// shape already, it is returned itself, otherwise a new tensor. Throws Error(kShape) that names both shapes if they
/// don't fit.
template <class T>
std::pair<stensor<T>, stensor<T>> TensorBroadcast(const stensor<T>& tensor1, const stensor<T>& tensor2);

/// Element-wise sum, product and sine. Sum and product broadcast their operands as TensorBroadcast does; uint8_t and
/// int32_t wrap around. A function with `output` fills that tensor, which must have the common shape, otherwise it
/// throws Error(kShape); a function without returns a new tensor.
template <class T>
stensor<T> TensorElementAdd(const stensor<T>& tensor1, const stensor<T>& tensor2);
template <class T>
void TensorElementAdd(const stensor<T>& tensor1, const stensor<T>& tensor2, const stensor<T>& output);
template <class T>
stensor<T> TensorElementMultiply(const stensor<T>& tensor1, const stensor<T>& tensor2);
template <class T>
void TensorElementMultiply(const stensor<T>& tensor1, const stensor<T>& tensor2, const stensor<T>& output);
sftensor TensorElementSin(const sftensor& tensor);
void TensorElementSin(const sftensor& tensor, const sftensor& output);

/// A new tensor, whose matrices are grown by {up, bottom, left, right} rows and columns of `padding_value`.
template <class T>
stensor<T> TensorPadding(const stensor<T>& tensor, const std::vector<uint32_t>& pads,
                         std::common_type_t<T> padding_value);

/// Whether the tensors have the same shape and no two elements differ by more than `threshold`. False if a tensor is
/// null.
template <class T>
bool TensorIsSame(const stensor<T>& tensor1, const stensor<T>& tensor2, float threshold = 1e-5F);

// Overloads for float. Unlike templates, they accept arguments that have to be converted: TensorIsSame(nullptr,
// tensor).
inline sftensor TensorClone(const sftensor& tensor) { return TensorClone<float>(tensor); }
inline std::pair<sftensor, sftensor> TensorBroadcast(const sftensor& tensor1, const sftensor& tensor2) {
  return TensorBroadcast<float>(tensor1, tensor2);
}
inline sftensor TensorElementAdd(const sftensor& tensor1, const sftensor& tensor2) {
  return TensorElementAdd<float>(tensor1, tensor2);
}
inline void TensorElementAdd(const sftensor& tensor1, const sftensor& tensor2, const sftensor& output) {
  TensorElementAdd<float>(tensor1, tensor2, output);
}
inline sftensor TensorElementMultiply(const sftensor& tensor1, const sftensor& tensor2) {
  return TensorElementMultiply<float>(tensor1, tensor2);
}
inline void TensorElementMultiply(const sftensor& tensor1, const sftensor& tensor2, const sftensor& output) {
  TensorElementMultiply<float>(tensor1, tensor2, output);
}
inline sftensor TensorPadding(const sftensor& tensor, const std::vector<uint32_t>& pads, float padding_value) {
  return TensorPadding<float>(tensor, pads, padding_value);
}
inline bool TensorIsSame(const sftensor& tensor1, const sftensor& tensor2, float threshold = 1e-5F) {
  return TensorIsSame<float>(tensor1, tensor2, threshold);
}

}  // namespace kuiper_infer
