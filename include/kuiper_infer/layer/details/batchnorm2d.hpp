// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// (x - mean) / sqrt(var + eps) * affine_weight + affine_bias for each of the num_features channels. As in the classic
/// interface, set_weights sets the running means and set_bias the running variances; before, they are 0 and 1. Throws
/// Error(kShape) unless affine_weight and affine_bias have num_features elements.
class BatchNorm2dLayer : public OperatorLayer {
 public:
  BatchNorm2dLayer(uint32_t num_features, float eps, const std::vector<float>& affine_weight,
                   const std::vector<float>& affine_bias);

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "nn.BatchNorm2d".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.BatchNorm2d", op, layer);
  }
};

}  // namespace kuiper_infer
