// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// exp(x) / sum(exp(x)) along axis `dim`, which counts the batch as 0; a negative one counts from the end. The axes of
/// an element are those of raw_shapes().
class SoftmaxLayer : public OperatorLayer {
 public:
  explicit SoftmaxLayer(int32_t dim);

  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.Softmax", op, layer);
  }
};

}  // namespace kuiper_infer
