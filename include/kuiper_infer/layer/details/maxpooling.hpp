// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// The maximum over windows of pooling_h x pooling_w pixels. Padding is never the maximum; it may be at most half a
/// window, as in PyTorch.
class MaxPoolingLayer : public OperatorLayer {
 public:
  MaxPoolingLayer(uint32_t padding_h, uint32_t padding_w, uint32_t pooling_h, uint32_t pooling_w, uint32_t stride_h,
                  uint32_t stride_w);

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "nn.MaxPool2d".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.MaxPool2d", op, layer);
  }
};

}  // namespace kuiper_infer
