// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// min(max(x + 3, 0), 6) / 6.
class HardSigmoidLayer : public OperatorLayer {
 public:
  HardSigmoidLayer();

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "nn.Hardsigmoid".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.Hardsigmoid", op, layer);
  }
};

using HardSigmoid = HardSigmoidLayer;

}  // namespace kuiper_infer
