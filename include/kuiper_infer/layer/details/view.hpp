// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// Reshapes to `shapes`, the batch first, in PyTorch's order of elements. One extent may be -1: it follows from the
/// others.
class ViewLayer : public OperatorLayer {
 public:
  explicit ViewLayer(const std::vector<int32_t>& shapes);

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "Tensor.reshape".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("Tensor.reshape", op, layer);
  }
};

}  // namespace kuiper_infer
