// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// (x - mean) / sqrt(var + eps) * affine_weight + affine_bias per channel. As in the classic interface, set_weights
/// gives the running means and set_bias the running variances (0 and 1 before).
class BatchNorm2dLayer : public OperatorLayer {
 public:
  BatchNorm2dLayer(uint32_t num_features, float eps, const std::vector<float>& affine_weight,
                   const std::vector<float>& affine_bias);

  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.BatchNorm2d", op, layer);
  }
};

}  // namespace kuiper_infer
