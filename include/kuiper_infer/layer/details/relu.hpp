// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// max(x, 0).
class ReluLayer : public OperatorLayer {
 public:
  ReluLayer();

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "nn.ReLU".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.ReLU", op, layer);
  }
};

}  // namespace kuiper_infer
