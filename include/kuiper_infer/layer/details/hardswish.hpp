// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// x * min(max(x + 3, 0), 6) / 6.
class HardSwishLayer : public OperatorLayer {
 public:
  HardSwishLayer();

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "nn.Hardswish".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.Hardswish", op, layer);
  }
};

}  // namespace kuiper_infer
