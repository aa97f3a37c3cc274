// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// x * weight^T + bias along the last axis of an element. set_weights takes one tensor of out_features rows and
/// in_features columns, set_bias out_features values; both are zero before.
class LinearLayer : public OperatorLayer {
 public:
  LinearLayer(int32_t in_features, int32_t out_features, bool use_bias);

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "nn.Linear".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.Linear", op, layer);
  }
};

}  // namespace kuiper_infer
