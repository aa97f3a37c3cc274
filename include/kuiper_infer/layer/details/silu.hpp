// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// x * sigmoid(x).
class SiLULayer : public OperatorLayer {
 public:
  SiLULayer();

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "nn.SiLU".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.SiLU", op, layer);
  }
};

}  // namespace kuiper_infer
