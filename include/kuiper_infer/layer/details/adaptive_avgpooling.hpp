// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// Averages each plane over output_h x output_w windows that cover it, placed as in PyTorch.
class AdaptiveAveragePoolingLayer : public OperatorLayer {
 public:
  AdaptiveAveragePoolingLayer(uint32_t output_h, uint32_t output_w);

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "nn.AdaptiveAvgPool2d".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.AdaptiveAvgPool2d", op, layer);
  }
};

}  // namespace kuiper_infer
