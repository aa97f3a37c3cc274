// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

namespace kuiper_infer {

// Tensors by name, for headers that only pass them on: Armadillo, which data/tensor.hpp needs, is large.

template <class T = float>
class Tensor;

template <class T = float>
using stensor = std::shared_ptr<Tensor<T>>;

using ftensor = Tensor<float>;
using sftensor = stensor<float>;
using u1tensor = Tensor<uint8_t>;
using su1tensor = stensor<uint8_t>;

}  // namespace kuiper_infer
