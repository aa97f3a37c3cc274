// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// 1 / (1 + exp(-x)).
class SigmoidLayer : public OperatorLayer {
 public:
  SigmoidLayer();

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "nn.Sigmoid".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.Sigmoid", op, layer);
  }
};

}  // namespace kuiper_infer
