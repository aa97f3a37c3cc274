// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// Element-wise arithmetic such as "add(@0,mul(@1,@2))". The inputs of operand @0 for the whole batch come first, then
/// the inputs of @1, and so on. If the statement is malformed, throws Error(kArgument) that points at the column.
class ExpressionLayer : public OperatorLayer {
 public:
  explicit ExpressionLayer(std::string statement);

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "pnnx.Expression".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("pnnx.Expression", op, layer);
  }
};

}  // namespace kuiper_infer
