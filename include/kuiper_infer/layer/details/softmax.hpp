// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// exp(x) / sum(exp(x)) along one axis. Constructed in a program, `dim` counts the axes of one element (raw_shapes(),
/// without the batch), a negative one from the end: SoftmaxLayer(0) on a vector of scores. In a graph and in
/// GetInstance the operator's `dim` counts the batch as 0, as PyTorch does.
class SoftmaxLayer : public OperatorLayer {
 public:
  explicit SoftmaxLayer(int32_t dim);

  using OperatorLayer::Forward;
  /// Computes one batch; gives kInferFailedDimensionParameterError where an element has no axis `dim`.
  InferStatus Forward(const std::vector<std::shared_ptr<Tensor<float>>>& inputs,
                      std::vector<std::shared_ptr<Tensor<float>>>& outputs) override;

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "nn.Softmax".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.Softmax", op, layer);
  }

 private:
  int32_t dim_;
};

}  // namespace kuiper_infer
