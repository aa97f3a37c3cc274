// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// Element-wise arithmetic such as "add(@0,mul(@1,@2))"; the inputs of operand @0 come first. Throws Error pointing at
/// the column when the statement is malformed.
class ExpressionLayer : public OperatorLayer {
 public:
  explicit ExpressionLayer(std::string statement);

  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("pnnx.Expression", op, layer);
  }
};

}  // namespace kuiper_infer
