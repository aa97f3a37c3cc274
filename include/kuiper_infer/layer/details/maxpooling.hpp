// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// Maximum over windows; the padding never wins.
class MaxPoolingLayer : public OperatorLayer {
 public:
  MaxPoolingLayer(uint32_t padding_h, uint32_t padding_w, uint32_t pooling_h, uint32_t pooling_w, uint32_t stride_h,
                  uint32_t stride_w);

  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.MaxPool2d", op, layer);
  }
};

}  // namespace kuiper_infer
