// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// Merges axes start_dim to end_dim, the batch being 0, in PyTorch's order of elements.
class FlattenLayer : public OperatorLayer {
 public:
  FlattenLayer(int32_t start_dim, int32_t end_dim);

  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("torch.flatten", op, layer);
  }
};

}  // namespace kuiper_infer
