// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// Concatenates its operands along axis `dim`, which counts the batch as 0.
class CatLayer : public OperatorLayer {
 public:
  explicit CatLayer(int32_t dim);

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "torch.cat".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("torch.cat", op, layer);
  }
};

}  // namespace kuiper_infer
