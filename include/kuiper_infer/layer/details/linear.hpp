// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// x * weight^T + bias over the last axis; weight is out_features x in_features.
class LinearLayer : public OperatorLayer {
 public:
  LinearLayer(int32_t in_features, int32_t out_features, bool use_bias);

  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.Linear", op, layer);
  }
};

}  // namespace kuiper_infer
