// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// Merges the axes from start_dim to end_dim, both included, in PyTorch's order of elements. The batch is axis 0;
/// negative numbers count from the end.
class FlattenLayer : public OperatorLayer {
 public:
  FlattenLayer(int32_t start_dim, int32_t end_dim);

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "torch.flatten".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("torch.flatten", op, layer);
  }
};

}  // namespace kuiper_infer
