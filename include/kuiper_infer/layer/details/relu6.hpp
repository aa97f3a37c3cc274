// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// min(max(x, 0), 6).
class Relu6Layer : public OperatorLayer {
 public:
  Relu6Layer();

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "nn.ReLU6".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.ReLU6", op, layer);
  }
};

}  // namespace kuiper_infer
