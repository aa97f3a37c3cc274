// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/param_layer.hpp"

namespace kuiper_infer {

/// W x, the product of the original's language model. The weight W is one tensor of weight_dim0 x weight_dim1 elements;
/// each input x is a tensor of raw_shapes() {weight_dim1, n} or {weight_dim1}. The memory of both is read as row-major,
/// as that model's file has it, not in cube order. An output has weight_dim0 rows and n columns; its element (row,
/// column) is at(0, row, column).
class LLamaMatmulLayer : public ParamLayer {
 public:
  /// Throws Error(kArgument) on extents below 1.
  LLamaMatmulLayer(int32_t weight_dim0, int32_t weight_dim1);

  using ParamLayer::Forward;
  InferStatus Forward(const std::vector<std::shared_ptr<Tensor<float>>>& inputs,
                      std::vector<std::shared_ptr<Tensor<float>>>& outputs) override;

  /// Takes one tensor, which may be a view; throws Error(kShape) on another count of tensors or elements.
  void set_weights(const std::vector<std::shared_ptr<Tensor<float>>>& weights) override;
  /// Copies the elements, row-major; throws Error(kShape) on another count.
  void set_weights(const std::vector<float>& weights) override;

 private:
  uint32_t rows_;
  uint32_t inner_;
};

}  // namespace kuiper_infer
